package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Held;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.WaitReason.Kind;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rules 9 and 14: all leases of a task expire together, one TTL after the last renewal. */
abstract class RenewalContract extends ContractGroup {
    private static final Duration NEARLY = Duration.ofNanos(1_000);

    RenewalContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    @Test
    void aLeaseThatIsNotRenewedExpiresAndPromotesTheNext() {
        open(Policies.NONE.with(MODEL, queued(1).leaseTtl(seconds(12))).with(GROUP, queued(5)));
        Claim running = sync(MODEL, GROUP).isAdmitted();
        Claim waiter = sync(MODEL).waits();

        silence(seconds(12).minus(NEARLY));
        waiter.waits();
        silence(NEARLY);

        waiter.isAdmitted();
        assertActive(GROUP, 0);
        assertThat(running.isUnknown()).isTrue();
        assertThat(admission.totals().leasesExpired()).isEqualTo(1);
    }

    @Test
    void anExpiredLeaseNeverCounts() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();

        fixture.elapse(seconds(120));

        sync(MODEL).isAdmitted();
        assertActive(MODEL, 1);
    }

    @Test
    void aRenewedLeaseLivesAsLongAsItIsRenewed() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();

        for (int i = 0; i < 20; i++) {
            silence(seconds(119));
            assertThat(running.renew()).isTrue();
        }

        assertActive(MODEL, 1);
    }

    @Test
    void aRenewalExtendsByTheTtlAndNeverByMore() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        for (int i = 0; i < 10; i++) {
            silence(seconds(100));
            running.renew();
        }

        silence(seconds(120).minus(NEARLY));
        assertActive(MODEL, 1);
        silence(NEARLY);

        assertActive(MODEL, 0);
    }

    @Test
    void whatIsLeftOfALeaseIsKnownWithoutAsking() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        long epoch = running.admitted().epoch();

        fixture.elapse(seconds(100));
        assertThat(admission.leaseLeft(running.task(), epoch)).isEqualTo(seconds(20));
        assertThat(admission.leaseLeft(running.task(), epoch + 1)).isZero();
        running.renew();
        assertThat(admission.leaseLeft(running.task(), epoch)).isEqualTo(seconds(120));
        fixture.elapse(seconds(130));
        assertThat(admission.leaseLeft(running.task(), epoch)).isZero();
        assertThat(admission.leaseLeft(newTask(), epoch)).isZero();
    }

    @Test
    void twoRenewalsAtOneInstantExtendOnce() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        running.renew();
        running.renew();

        silence(seconds(120));

        assertActive(MODEL, 0);
    }

    @Test
    void aRenewalIsFencedByItsEpoch() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        silence(seconds(60));

        assertThat(await(admission.renew(running.task(), running.admitted().epoch() + 1)))
                .isFalse();
        assertThat(await(admission.renew(newTask(), running.admitted().epoch())))
                .isFalse();
        silence(seconds(60));

        assertActive(MODEL, 0);
    }

    @Test
    void aRenewalAfterExpiryOrReleaseSaysThatTheLeaseIsGone() {
        open(queued(MODEL, 2));
        Claim expired = sync(MODEL).isAdmitted();
        Claim released = sync(MODEL).isAdmitted().release();

        fixture.elapse(seconds(120));

        assertThat(expired.renew()).isFalse();
        assertThat(released.renew()).isFalse();
        assertActive(MODEL, 0);
    }

    @Test
    void manyAreRenewedAtOnceAndTheLostOnesAreNamed() {
        open(queued(MODEL, 3));
        Claim first = sync(MODEL).isAdmitted();
        Claim second = sync(MODEL).isAdmitted();
        Claim released = sync(MODEL).isAdmitted().release();
        Held stranger = new Held(newTask(), 1);
        Held wrongEpoch = new Held(second.task(), second.admitted().epoch() + 1);
        silence(seconds(100));

        List<Held> lost = await(admission.renew(List.of(first.held(), released.held(), stranger, wrongEpoch)));

        assertThat(lost).containsExactlyInAnyOrder(released.held(), stranger, wrongEpoch);
        silence(seconds(20));
        assertActive(MODEL, 1);
        assertThat(second.isUnknown()).isTrue();
    }

    @Test
    void theTtlIsTheSmallestOfTheTasksScopes() {
        open(Policies.NONE
                .with(MODEL, queued(5).leaseTtl(seconds(50)))
                .with(GROUP, queued(5).leaseTtl(seconds(20))));
        Claim claim = sync(MODEL, GROUP).isAdmitted();

        assertThat(claim.admitted().leaseTtl()).isEqualTo(seconds(20));
        silence(seconds(20));

        assertActive(MODEL, 0);
        assertActive(GROUP, 0);
    }

    @Test
    void theTtlOfARoutedTaskIsThatOfItsPlatformModel() {
        open(route("chat", ProviderPolicy.of("gpu", 2))
                .with(MODEL, queued(5).leaseTtl(seconds(50)))
                .with(GROUP, queued(5).leaseTtl(seconds(20))));
        Claim claim = routed("chat", GROUP).isAdmitted();

        assertThat(claim.admitted().leaseTtl()).isEqualTo(seconds(50));
        silence(seconds(50).minus(NEARLY));
        assertActive(GROUP, 1);
        silence(NEARLY);

        assertActive(MODEL, 0);
        assertActive(GROUP, 0);
        assertThat(provider("gpu").inFlight()).isZero();
    }

    @Test
    void theLeaseOfAWaiterStartsWithItsGrant() {
        open(Policies.NONE.with(MODEL, queued(1).leaseTtl(seconds(30))));
        Claim running = sync(MODEL).isAdmitted();
        Claim waiter = sync(MODEL).waits();
        silence(seconds(14));
        running.release();

        silence(seconds(30).minus(NEARLY));
        assertActive(MODEL, 1);
        silence(NEARLY);

        assertActive(MODEL, 0);
        assertThat(waiter.tryRelease()).isFalse();
    }

    @Test
    void anAsynchronousTaskThatLostItsExecutorRunsAgainUnderANewEpoch() {
        open(queued(MODEL, 1));
        Claim lost = async(MODEL).isAdmitted();

        silence(seconds(120));

        assertThat(admission.totals().leasesExpired()).isEqualTo(1);
        assertActive(MODEL, 1);
        assertThat(lost.view().epoch()).isGreaterThan(lost.admitted().epoch());
        assertThat(lost.tryRelease()).isFalse();
        assertActive(MODEL, 1);
    }

    @Test
    void anAsynchronousTaskThatLostItsExecutorReturnsToItsOldPlaceWithANewWait() {
        open(queued(MODEL, 1));
        Claim lost = async(MODEL).isAdmitted();
        timePasses(seconds(60));
        Claim younger = async(MODEL).waits();
        Claim urgent = submit(prioritised(Ask.async(newTask(), NORMAL, one(MODEL)), 10));

        silence(seconds(120));

        urgent.isAdmitted();
        assertThat(lost.view().waiting()).isTrue();
        assertThat(lost.view().sequence()).isLessThan(younger.view().sequence());
        assertThat(lost.deadlineIn()).isEqualTo(Duration.ofHours(24));
        urgent.release();
        assertThat(lost.view().waiting()).isFalse();
        younger.waits();
    }

    @Test
    void anAsynchronousTaskThatLostItsExecutorAndItsRouteIsEvicted() {
        open(route("chat", ProviderPolicy.of("gpu", 1)));
        Claim lost = submit(Ask.async(newTask(), NORMAL, one(GROUP)).on(Routing.to("chat")))
                .isAdmitted();
        configure(Policies.NONE.with(ProviderPolicy.of("gpu", 1)));

        silence(seconds(120));

        assertThat(lost.isUnknown()).isTrue();
        assertActive(GROUP, 0);
        assertThat(provider("gpu").inFlight()).isZero();
    }

    @Test
    void anAsynchronousTaskThatWaitsAgainCountsInItsPlatformModel() {
        open(route("chat", ProviderPolicy.of("gpu", 1)));
        Ask ask = Ask.async(newTask(), NORMAL, one(GROUP)).on(Routing.to("chat"));
        Claim lost = submit(ask).isAdmitted();
        await(admission.providerUp("gpu", false));

        silence(seconds(120));

        assertThat(lost.view().reason().orElseThrow().kind()).isEqualTo(Kind.NO_LIVE_PROVIDER);
        assertThat(waiting(MODEL)).isEqualTo(1);
        assertThat(waiting(GROUP)).isEqualTo(1);
    }

    @Test
    void workLongerThanAnyTtlKeepsItsLease() {
        open(route("chat", ProviderPolicy.of("gpu", 1)));
        Claim running = routed("chat").isAdmitted();

        // The longest that a configuration may state is an hour.
        timePasses(Duration.ofMinutes(75));

        assertThat(provider("gpu").inFlight()).isEqualTo(1);
        routed("chat").waits();
        running.release();
    }
}
