package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.Routing;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.TaskFilter;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rule 13: an admitted task moves to another binding; the target is tested before anything is given up. */
abstract class FailOverContract extends ContractGroup {
    FailOverContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private Claim failOver(Claim running, Ask ask) {
        return claim(ask, admission.failOver(ask, running.admitted().epoch()));
    }

    private Claim failOver(Claim running, Demand... demands) {
        return failOver(running, instead(running.ask(), List.of(demands)));
    }

    @Test
    void aTargetWithRoomTakesTheTaskAndTheOldLeasesAreFreed() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)));
        Claim running = sync(MODEL).isAdmitted();
        Claim waiter = sync(MODEL).waits();

        Claim moved = failOver(running, Demand.one(OTHER_MODEL)).isAdmitted();

        assertThat(moved.admitted().epoch()).isGreaterThan(running.admitted().epoch());
        assertActive(OTHER_MODEL, 1);
        waiter.isAdmitted();
        assertActive(MODEL, 1);
    }

    @Test
    void theEpochBeforeTheMoveReleasesNothing() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)));
        Claim running = sync(MODEL).isAdmitted();
        Claim moved = failOver(running, Demand.one(OTHER_MODEL)).isAdmitted();

        assertThat(running.tryRelease()).isFalse();
        assertActive(OTHER_MODEL, 1);
        moved.release();

        assertActive(OTHER_MODEL, 0);
    }

    @Test
    void aFullTargetQueuesTheTaskAtItsOldAge() {
        open(queued(MODEL, 2).with(OTHER_MODEL, queued(1)));
        Claim running = sync(MODEL).isAdmitted();
        Claim busy = sync(OTHER_MODEL).isAdmitted();
        Claim younger = sync(OTHER_MODEL).waits();

        Claim moved = failOver(running, Demand.one(OTHER_MODEL)).waits();

        assertActive(MODEL, 0);
        busy.release();
        moved.isAdmitted();
        younger.waits();
    }

    @Test
    void aTargetThatRefusesLeavesTheLeasesUntouched() {
        open(queued(MODEL, 1).with(OTHER_MODEL, limit(1)));
        Claim running = sync(MODEL).isAdmitted();
        sync(OTHER_MODEL).isAdmitted();

        failOver(running, Demand.one(OTHER_MODEL)).refused(Reason.CONCURRENCY_LIMIT_EXCEEDED);
        failOver(running, units(OTHER_MODEL, 2)).refused(Reason.AMOUNT_UNSATISFIABLE);

        assertActive(MODEL, 1);
        assertThat(running.renew()).isTrue();
        running.release();
        assertActive(MODEL, 0);
    }

    @Test
    void aFullQueueOfTheTargetLeavesTheLeasesUntouched() {
        open(queued(MODEL, 1).with(OTHER_MODEL, limit(1).queue(1)));
        Claim running = sync(MODEL).isAdmitted();
        sync(OTHER_MODEL).isAdmitted();
        sync(OTHER_MODEL).waits();

        failOver(running, Demand.one(OTHER_MODEL)).refused(Reason.QUEUE_FULL);

        assertActive(MODEL, 1);
        running.release();
    }

    @Test
    void whatTheTaskHoldsDoesNotCountAgainstIt() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)).with(GROUP, limit(1)));
        Claim running = sync(MODEL, GROUP).isAdmitted();

        Claim moved = failOver(running, Demand.one(OTHER_MODEL), Demand.one(GROUP));

        moved.isAdmitted();
        assertActive(GROUP, 1);
        assertActive(MODEL, 0);
    }

    @Test
    void aTaskThatMovesKeepsWhatItHoldsThoughABetterOneWaitsForThat() {
        open(queued(GROUP, 1).with(MODEL, queued(5)).with(OTHER_MODEL, queued(5)));
        Claim running = sync(MODEL, GROUP).isAdmitted();
        Claim sameNeeds = sync(10, OTHER_MODEL, GROUP).waits();
        Claim otherNeeds = sync(10, GROUP).waits();

        Claim moved =
                failOver(running, Demand.one(OTHER_MODEL), Demand.one(GROUP)).isAdmitted();

        otherNeeds.waits();
        moved.release();
        sameNeeds.isAdmitted();
    }

    @Test
    void onlyTheCurrentEpochCanBeFailedOver() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)));
        Claim running = sync(MODEL).isAdmitted();
        Ask target = instead(running.ask(), one(OTHER_MODEL));

        Claim refused =
                claim(target, admission.failOver(target, running.admitted().epoch() + 1));

        assertThat(refused.turn().decision().toCompletableFuture().getNow(null)).isInstanceOf(Rejected.class);
        assertActive(MODEL, 1);
        assertActive(OTHER_MODEL, 0);
        running.release();
    }

    @Test
    void aTaskThatFailedOnAProviderGoesToAnother() {
        open(route("chat", ProviderPolicy.of("a", 1), ProviderPolicy.of("b", 1)).with(GROUP, limit(1)));
        Claim running = routed("chat", GROUP).isAdmitted();
        assertThat(running.provider()).isEqualTo("a");

        Claim moved = failOver(running, running.ask().on(Routing.to("chat").avoiding(Set.of("a"))));

        assertThat(moved.provider()).isEqualTo("b");
        assertThat(provider("a").inFlight()).isZero();
        assertThat(provider("b").inFlight()).isEqualTo(1);
    }

    @Test
    void aTaskThatHasNoOtherProviderKeepsWhatItHas() {
        open(route("chat", ProviderPolicy.of("a", 1)));
        Claim running = routed("chat").isAdmitted();

        failOver(running, running.ask().on(Routing.to("chat").avoiding(Set.of("a"))))
                .refused(Reason.NO_CAPACITY);

        assertThat(provider("a").inFlight()).isEqualTo(1);
        running.release();
    }

    @Test
    void aTaskThatWaitsAgainHasANewWaitAndItsOwnDeadline() {
        open(Policies.NONE
                .with(MODEL, queued(1).maxWait(seconds(20)))
                .with(OTHER_MODEL, queued(1).maxWait(seconds(20))));
        Claim running = sync(MODEL).isAdmitted();
        timePasses(seconds(100));
        sync(OTHER_MODEL).isAdmitted();

        Claim moved = failOver(running, Demand.one(OTHER_MODEL)).waits();

        assertThat(moved.deadlineIn()).isEqualTo(seconds(20));
    }

    @Test
    void theNewWaitOfATaskThatRanForLongSurvivesAReload() {
        Policies policies = Policies.NONE
                .with(MODEL, queued(1).maxWait(seconds(20)))
                .with(OTHER_MODEL, queued(1).maxWait(seconds(20)));
        open(policies);
        Claim running = sync(MODEL).isAdmitted();
        timePasses(seconds(100));
        sync(OTHER_MODEL).isAdmitted();
        Claim moved = failOver(running, Demand.one(OTHER_MODEL)).waits();
        timePasses(seconds(5));

        configure(policies);
        fixture.tick();

        assertThat(moved.waits().deadlineIn()).isEqualTo(seconds(15));
    }

    @Test
    void theAnswerOfTheMovedTaskIsANewAdmission() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)));
        Claim running = sync(MODEL).isAdmitted();

        Admitted moved = failOver(running, Demand.one(OTHER_MODEL)).admitted();

        assertThat(moved.newly()).isTrue();
        assertThat(moved.task()).isEqualTo(running.task());
        assertThat(admission.list(TaskFilter.ALL)).hasSize(1);
    }

    private static ScopePolicy limit(int units) {
        return ScopePolicy.limit(units);
    }
}
