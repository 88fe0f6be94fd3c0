package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Eviction;
import dev.sluice.admission.ProviderPolicy;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A cancelled task leaves the queue or gives back what it holds; it touches no other. */
abstract class CancelContract extends ContractGroup {
    CancelContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private boolean cancel(Claim claim, Eviction reason) {
        return await(admission.cancel(claim.task(), reason));
    }

    @Test
    void aWaitingTaskLeavesTheQueue() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim cancelled = sync(MODEL).waits();
        Claim next = sync(MODEL).waits();

        assertThat(cancel(cancelled, Eviction.CANCELLED)).isTrue();

        cancelled.evicted(Eviction.CANCELLED);
        assertThat(cancelled.isUnknown()).isTrue();
        assertThat(waiting(MODEL)).isEqualTo(1);
        next.waits();
        running.release();
        next.isAdmitted();
    }

    @Test
    void theReasonOfTheCancellerIsTold() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim waiter = sync(MODEL).waits();

        cancel(waiter, Eviction.OPERATOR);

        waiter.evicted(Eviction.OPERATOR);
        assertThat(admission.totals().evictedCancelled()).isZero();
        assertThat(admission.totals().evictedOther()).isEqualTo(1);
    }

    @Test
    void aRunningTaskGivesBackWhatItHoldsAndTheNextRuns() {
        open(route("chat", ProviderPolicy.of("gpu", 1)));
        Claim running = routed("chat").isAdmitted();
        Claim waiter = routed("chat").waits();

        assertThat(cancel(running, Eviction.CANCELLED)).isTrue();

        waiter.isAdmitted();
        assertThat(running.tryRelease()).isFalse();
        assertThat(provider("gpu").inFlight()).isEqualTo(1);
    }

    @Test
    void aTaskIsCancelledOnce() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim waiter = sync(MODEL).waits();

        assertThat(cancel(waiter, Eviction.CANCELLED)).isTrue();
        assertThat(cancel(waiter, Eviction.OPERATOR)).isFalse();
        assertThat(cancel(running, Eviction.CANCELLED)).isTrue();
        assertThat(cancel(running, Eviction.CANCELLED)).isFalse();

        assertActive(MODEL, 0);
        assertThat(admission.totals().evictedCancelled()).isLessThanOrEqualTo(2).isPositive();
    }

    @Test
    void anUnknownTaskIsNotCancelled() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();

        assertThat(await(admission.cancel(newTask(), Eviction.CANCELLED))).isFalse();

        assertActive(MODEL, 1);
    }

    @Test
    void cancellingAQueuedTaskDoesNotTouchTheRunOfAnother() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim waiter = sync(MODEL).waits();

        cancel(waiter, Eviction.CANCELLED);

        assertActive(MODEL, 1);
        assertThat(running.renew()).isTrue();
        running.release();
    }

    @Test
    void anAsynchronousTaskIsCancelledLikeAnyOther() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim waiter = async(MODEL).waits();

        assertThat(cancel(waiter, Eviction.CANCELLED)).isTrue();

        waiter.evicted(Eviction.CANCELLED);
        assertThat(snapshot().waitingAsync()).isZero();
    }

    @Test
    void onlyATaskThatWaitsIsEvicted() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim waiter = async(MODEL).waits();

        assertThat(await(admission.evict(running.task(), Eviction.OPERATOR))).isFalse();
        assertThat(await(admission.evict(waiter.task(), Eviction.OPERATOR))).isTrue();

        waiter.evicted(Eviction.OPERATOR);
        assertThat(await(admission.evict(waiter.task(), Eviction.OPERATOR))).isFalse();
        assertActive(MODEL, 1);
        assertThat(running.renew()).isTrue();
    }

    @Test
    void anAsynchronousTaskThatIsHandedBackHasItsOldPlaceAndAnotherEpoch() {
        open(queued(MODEL, 1));
        Claim first = async(MODEL).isAdmitted();
        Claim second = async(MODEL).waits();
        long epoch = first.admitted().epoch();
        assertThat(await(admission.handBack(first.task(), epoch + 1))).isFalse();

        assertThat(await(admission.handBack(first.task(), epoch))).isTrue();

        second.isPending();
        assertThat(first.view().waiting()).isFalse();
        assertThat(first.view().epoch()).isGreaterThan(epoch);
        assertThat(await(admission.handBack(first.task(), epoch))).isFalse();
        assertThat(first.tryRelease()).isFalse();
        assertActive(MODEL, 1);
        assertThat(admission.totals().leasesExpired()).isZero();
    }

    @Test
    void aTaskWhoseClientIsConnectedIsNotHandedBack() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();

        assertThat(await(admission.handBack(running.task(), running.admitted().epoch())))
                .isFalse();

        assertThat(running.renew()).isTrue();
    }
}
