package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.DispatchPolicy;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Ordering;
import dev.sluice.admission.Policies;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.WaitReason.Kind;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rule 7: whoever waits must be known to be there; a corpse never counts. */
abstract class WaitersContract extends ContractGroup {
    private static final Duration NEARLY = Duration.ofNanos(1_000);

    WaitersContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private boolean renew(Claim claim) {
        return await(admission.renewWaiter(claim.task(), claim.waiter()));
    }

    private boolean detach(Claim claim) {
        return await(admission.detach(claim.task(), claim.waiter()));
    }

    @Test
    void aWaiterThatIsSilentForFifteenSecondsLosesItsPlace() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        silence(seconds(15).minus(NEARLY));
        claim.isPending();
        silence(NEARLY);

        claim.evicted(Eviction.WAITER_LOST);
        assertThat(claim.isUnknown()).isTrue();
        assertThat(waiting(MODEL)).isZero();
        assertThat(admission.totals().evictedWaiterLost()).isEqualTo(1);
    }

    @Test
    void theWaiterLeaseIsConfigured() {
        open(queued(MODEL, 1)
                .with(new QueueingPolicy(
                        Ordering.WORK_CONSERVING, 64, Duration.ofHours(24), seconds(3), DispatchPolicy.DEFAULT)));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        silence(seconds(3).minus(NEARLY));
        claim.isPending();
        silence(NEARLY);

        claim.evicted(Eviction.WAITER_LOST);
    }

    @Test
    void aWaiterThatIsRenewedKeepsItsPlace() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        for (int i = 0; i < 5; i++) {
            silence(seconds(14));
            assertThat(renew(claim)).isTrue();
        }
        silence(seconds(14));
        claim.isPending();
        silence(seconds(1));

        claim.evicted(Eviction.WAITER_LOST);
    }

    @Test
    void aRenewalOfOneWaiterRenewsNoOther() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim renewed = sync(MODEL).waits();
        Claim silent = sync(MODEL).waits();
        silence(seconds(10));

        renew(renewed);
        silence(seconds(5));

        renewed.isPending();
        silent.evicted(Eviction.WAITER_LOST);
    }

    @Test
    void aHeartbeatOfAHolderRenewsAllItsWaitersAndNoOthers() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim first = sync(MODEL).waits();
        Claim second = sync(MODEL).waits();
        Claim foreign = submit(by("far", "gateway-2", ask(MODEL))).waits();
        silence(seconds(10));

        await(admission.renewHolder(HOLDER));
        silence(seconds(5));

        first.isPending();
        second.isPending();
        foreign.evicted(Eviction.WAITER_LOST);
        silence(seconds(10));
        first.evicted(Eviction.WAITER_LOST);
    }

    @Test
    void anEarlierHeartbeatDoesNotShortenAWaitersLease() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        await(admission.renewHolder(HOLDER));
        silence(seconds(10));

        Claim claim = sync(MODEL).waits();
        silence(seconds(15).minus(NEARLY));

        claim.isPending();
    }

    @Test
    void onlyTheWaiterOfAWaitingTaskIsRenewed() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        assertThat(await(admission.renewWaiter(claim.task(), "somebody else"))).isFalse();
        assertThat(await(admission.renewWaiter(newTask(), claim.waiter()))).isFalse();
        assertThat(renew(running)).isFalse();
        assertThat(renew(claim)).isTrue();
    }

    @Test
    void aRenewalAfterTheLeaseLapsedIsTooLate() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        fixture.elapse(seconds(15));

        assertThat(renew(claim)).isFalse();
        claim.evicted(Eviction.WAITER_LOST);
    }

    @Test
    void aHeartbeatAtTheLastInstantIsInTime() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        fixture.elapse(seconds(15).minus(NEARLY));
        await(admission.renewHolder(HOLDER));
        silence(seconds(15).minus(NEARLY));

        claim.isPending();
    }

    @Test
    void aHeartbeatDoesNotReviveALostWaiter() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();
        silence(seconds(16));

        await(admission.renewHolder(HOLDER));

        claim.evicted(Eviction.WAITER_LOST);
        assertThat(claim.isUnknown()).isTrue();
    }

    @Test
    void aReleasePassesOverALostWaiter() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim lost = sync(MODEL).waits();
        Claim alive = sync(MODEL).waits();
        silence(seconds(10));
        renew(alive);

        fixture.elapse(seconds(5));
        running.release();

        lost.evicted(Eviction.WAITER_LOST);
        alive.isAdmitted();
    }

    @Test
    void anAdmittedTaskNeedsNoWaiterRenewal() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();

        silence(seconds(100));

        assertActive(MODEL, 1);
        running.release();
    }

    @Test
    void anAsynchronousTaskNeedsNoWaiterRenewal() {
        open(Policies.NONE.with(MODEL, queued(1).leaseTtl(Duration.ofHours(1))));
        Claim running = sync(MODEL).isAdmitted();
        Claim claim = async(MODEL).waits();

        silence(Duration.ofMinutes(30));

        claim.isPending();
        running.release();
        claim.isAdmitted();
    }

    @Test
    void aDetachedTaskIsSkippedAndKeepsItsPlace() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim detached = sync(MODEL).waits();
        Claim next = sync(MODEL).waits();

        assertThat(detach(detached)).isTrue();
        assertThat(detached.view().reason().orElseThrow().kind()).isEqualTo(Kind.DETACHED);
        running.release();
        next.isAdmitted();
        Claim last = sync(MODEL).waits();
        Claim back = submit(by("second connection", HOLDER, detached.ask())).waits();
        next.release();

        back.isAdmitted();
        last.waits();
    }

    @Test
    void aDetachedTaskThatComesBackToFreeRoomRunsAtOnce() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim detached = sync(MODEL).waits();
        detach(detached);
        running.release();
        assertActive(MODEL, 0);

        submit(by("second connection", HOLDER, detached.ask())).isAdmitted();
    }

    @Test
    void aDetachedTaskIsForgottenAfterOneWaiterLease() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim detached = sync(MODEL).waits();
        silence(seconds(10));
        detach(detached);

        silence(seconds(15).minus(NEARLY));
        assertThat(waiting(MODEL)).isEqualTo(1);
        silence(NEARLY);

        assertThat(detached.isUnknown()).isTrue();
        assertThat(waiting(MODEL)).isZero();
    }

    @Test
    void aHeartbeatOfItsHolderDoesNotKeepADetachedTask() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim detached = sync(MODEL).waits();
        detach(detached);

        timePasses(seconds(15));

        assertThat(detached.isUnknown()).isTrue();
    }

    @Test
    void aDetachedTaskStillFillsTheQueue() {
        open(Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(1)));
        sync(MODEL).isAdmitted();
        detach(sync(MODEL).waits());

        sync(MODEL).refused(Reason.QUEUE_FULL);
    }

    @Test
    void aDetachedTaskDoesNotHoldUpOthersInStrictOrder() {
        open(queued(MODEL, 2).with(QueueingPolicy.DEFAULT.ordering(Ordering.STRICT)));
        sync(units(MODEL, 1)).isAdmitted();
        Claim head = sync(units(MODEL, 2)).waits();
        Claim next = sync(MODEL).waits(Kind.BEHIND_OTHERS);

        detach(head);

        next.isAdmitted();
    }

    @Test
    void onlyTheConnectionThatWaitsCanDetachItsTask() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        assertThat(await(admission.detach(claim.task(), "somebody else"))).isFalse();
        assertThat(detach(running)).isFalse();
        assertThat(await(admission.detach(newTask(), "nobody"))).isFalse();
        running.release();

        claim.isAdmitted();
    }

    @Test
    void theClaimOfADetachedTaskEndsWithoutAGrant() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim detached = sync(MODEL).waits();
        detach(detached);
        Claim back = submit(by("second connection", HOLDER, detached.ask()));
        running.release();

        assertThat(detached.turn().outcome().toCompletableFuture().getNow(null))
                .isNotNull()
                .isNotInstanceOf(Admitted.class);
        back.isAdmitted();
    }

    @Test
    void theConnectionThatDetachedMayComeBackItself() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Ask ask = ask(MODEL);
        detach(submit(ask).waits());

        Claim back = submit(ask).waits();
        running.release();

        back.isAdmitted();
    }
}
