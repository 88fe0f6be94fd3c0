package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Amount;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Lease;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rule 2: a task is admitted iff every scope has room, in whole thousandths; all of them or none. */
abstract class LimitsContract extends ContractGroup {
    LimitsContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    @Test
    void exactlyAsManyTasksRunAsTheLimitAllows() {
        open(queued(MODEL, 3));

        many(3, () -> sync(MODEL)).forEach(Claim::isAdmitted);
        sync(MODEL).waits();

        assertActive(MODEL, 3);
    }

    @Test
    void anAmountIsCountedToTheThousandth() {
        open(queued(MODEL, 1));

        sync(part(MODEL, "0.333")).isAdmitted();
        sync(part(MODEL, "0.667")).isAdmitted();
        sync(part(MODEL, "0.001")).waits();

        assertActive(MODEL, 1);
    }

    @Test
    void anAmountThatFillsTheLimitFits() {
        open(queued(MODEL, 5));

        sync(units(MODEL, 5)).isAdmitted();
        sync(MODEL).waits();
    }

    @Test
    void anAmountAboveTheLimitIsRefusedAtOnceAndForGood() {
        open(queued(MODEL, 5).with(GROUP, ScopePolicy.limit(10).queue(5)));

        var refusal = sync(units(GROUP, 1), units(MODEL, 6)).refused(Reason.AMOUNT_UNSATISFIABLE);

        assertThat(refusal.retryable()).isFalse();
        assertThat(refusal.scope()).isEqualTo(MODEL);
        assertThat(refusal.amount()).isEqualTo(Amount.units(6));
        assertThat(refusal.limit()).isEqualTo(Amount.units(5));
        async(units(MODEL, 6)).refused(Reason.AMOUNT_UNSATISFIABLE);
        assertThat(snapshot().queueDepth()).isZero();
    }

    @Test
    void aScopeWithoutAPolicyIsUnlimitedAndStillCounted() {
        open(Policies.NONE);

        many(50, () -> sync(GROUP)).forEach(Claim::isAdmitted);

        assertActive(GROUP, 50);
    }

    @Test
    void aLimitOfZeroIsUnlimitedAndStillCounted() {
        open(limit(GROUP, 0));

        many(50, () -> sync(GROUP)).forEach(Claim::isAdmitted);

        assertActive(GROUP, 50);
    }

    @Test
    void aTaskHoldsOneLeaseInEachOfItsScopes() {
        open(queued(MODEL, 5).with(GROUP, queued(5)));

        Admitted admitted =
                sync(units(MODEL, 2), units(GROUP, 3), units(OTHER_GROUP, 1)).admitted();

        assertThat(admitted.leases())
                .containsExactly(
                        new Lease(MODEL, Amount.units(2)),
                        new Lease(GROUP, Amount.units(3)),
                        new Lease(OTHER_GROUP, Amount.units(1)));
        assertThat(admitted.newly()).isTrue();
        assertThat(admitted.placement()).isEmpty();
        assertActive(MODEL, 2);
        assertActive(GROUP, 3);
        assertActive(OTHER_GROUP, 1);
    }

    @Test
    void aTaskThatWaitsForOneScopeHoldsNothingInTheOthers() {
        open(queued(MODEL, 1).with(GROUP, queued(10)));
        sync(MODEL).isAdmitted();

        Claim blocked = sync(MODEL, GROUP).waits();

        assertActive(GROUP, 0);
        assertThat(blocked.view().leases()).isEmpty();
        assertThat(waiting(GROUP)).isEqualTo(1);
    }

    @Test
    void aRefusalByOneScopeLeavesNothingInTheOthers() {
        open(limit(MODEL, 1).with(GROUP, queued(10)));
        sync(MODEL).isAdmitted();

        Claim refused = sync(GROUP, MODEL);

        refused.refused(Reason.CONCURRENCY_LIMIT_EXCEEDED);
        assertActive(GROUP, 0);
        assertThat(waiting(GROUP)).isZero();
        assertThat(refused.isUnknown()).isTrue();
    }

    @Test
    void aScopeNamedTwiceCountsOnce() {
        open(queued(MODEL, 5));

        sync(units(MODEL, 2), units(new Scope(" platform_model ", " on-prem/large "), 3))
                .isAdmitted();

        assertActive(MODEL, 2);
    }

    @Test
    void anAmountOfZeroMeansOneUnit() {
        open(queued(MODEL, 1));

        sync(new Demand(MODEL, 0)).isAdmitted();

        assertActive(MODEL, 1);
        sync(new Demand(MODEL, 0)).waits();
    }

    @Test
    void aTaskOfUnlimitedScopesIsAdmittedOnceAndNotAgain() {
        open(Policies.NONE);
        Ask ask = ask(GROUP);
        long epoch = submit(ask).admitted().epoch();

        Admitted again = submit(ask).admitted();

        assertThat(again.newly()).isFalse();
        assertThat(again.epoch()).isEqualTo(epoch);
        assertActive(GROUP, 1);
    }

    @Test
    void scopesOfAnyTypeAreLimited() {
        Scope licence = new Scope("licence", "seat");
        open(queued(licence, 1));

        sync(licence).isAdmitted();
        sync(licence).waits();
    }

    @Test
    void aRefusalCarriesTheNumbersThatExplainIt() {
        ScopePolicy policy =
                new ScopePolicy(Amount.units(4), 0, seconds(30), seconds(90), "Research", Map.of("owner", "ops"));
        open(Policies.NONE.with(GROUP, policy));
        sync(units(GROUP, 3)).isAdmitted();
        silence(seconds(20));

        var refusal = sync(units(GROUP, 2)).refused(Reason.CONCURRENCY_LIMIT_EXCEEDED);

        assertThat(refusal.scope()).isEqualTo(GROUP);
        assertThat(refusal.name()).isEqualTo("Research");
        assertThat(refusal.metadata()).isEqualTo(Map.of("owner", "ops"));
        assertThat(refusal.metric()).isEqualTo("concurrent");
        assertThat(refusal.limit()).isEqualTo(Amount.units(4));
        assertThat(refusal.amount()).isEqualTo(Amount.units(2));
        assertThat(refusal.current()).isEqualTo(Amount.units(3));
        assertThat(refusal.projected()).isEqualTo(Amount.units(5));
        assertThat(refusal.waiting()).isZero();
        assertThat(refusal.queueLimit()).isZero();
        assertThat(refusal.resetAfter()).isBetween(seconds(70), seconds(90));
        assertThat(refusal.retryAfter()).isBetween(seconds(1), seconds(60));
        assertThat(refusal.retryable()).isTrue();
    }

    @Test
    void thousandsOfMixedAmountsNeverExceedALimit() {
        open(queued(MODEL, 7).with(GROUP, queued(11)));
        List<Claim> running = new ArrayList<>();
        Random random = new Random(7);

        for (int i = 0; i < 2_000; i++) {
            running.add(sync(units(MODEL, 1 + random.nextInt(5)), units(GROUP, 1 + random.nextInt(5))));
            assertThat(active(MODEL)).isLessThanOrEqualTo(Amount.units(7));
            assertThat(active(GROUP)).isLessThanOrEqualTo(Amount.units(11));
            running.removeIf(
                    claim -> claim.turn().outcome().toCompletableFuture().isDone()
                            && random.nextInt(3) == 0
                            && claim.tryRelease());
        }
        assertThat(active(MODEL)).isPositive();
    }
}
