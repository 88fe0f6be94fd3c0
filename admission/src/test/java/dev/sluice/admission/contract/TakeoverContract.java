package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.ScopePolicy;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rule 13: a task asked for again is the same task, in the same place. */
abstract class TakeoverContract extends ContractGroup {
    TakeoverContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    @Test
    void anotherConnectionTakesTheTaskOverInItsPlaceAndTheOldOneIsTold() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim old = sync(MODEL).waits();
        long sequence = old.view().sequence();
        Claim behind = sync(MODEL).waits();

        Claim taken = submit(by("second connection", HOLDER, old.ask())).waits();

        old.evicted(Eviction.SUPERSEDED);
        assertThat(taken.view().sequence()).isEqualTo(sequence);
        assertThat(waiting(MODEL)).isEqualTo(2);
        running.release();
        taken.isAdmitted();
        behind.waits();
    }

    @Test
    void aTakeoverNeedsNoRoomInTheQueue() {
        open(Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(1)));
        sync(MODEL).isAdmitted();
        Claim old = sync(MODEL).waits();

        submit(by("second connection", HOLDER, old.ask())).waits();

        sync(MODEL).refused(Reason.QUEUE_FULL);
    }

    @Test
    void aTakeoverStartsANewWaiterLeaseOfTheNewHolder() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim old = sync(MODEL).waits();
        silence(seconds(10));
        Claim taken = submit(by("far", "gateway-2", old.ask())).waits();

        silence(seconds(10));
        taken.isPending();
        await(admission.renewHolder(HOLDER));
        silence(seconds(5));

        taken.evicted(Eviction.WAITER_LOST);
    }

    @Test
    void afterATakeoverTheOldWaiterIsAStranger() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim old = sync(MODEL).waits();
        Claim taken = submit(by("second connection", HOLDER, old.ask())).waits();

        assertThat(await(admission.renewWaiter(old.task(), old.waiter()))).isFalse();
        assertThat(await(admission.detach(old.task(), old.waiter()))).isFalse();
        assertThat(await(admission.renewWaiter(taken.task(), taken.waiter()))).isTrue();
    }

    @Test
    void aTakeoverKeepsTheDeadline() {
        open(Policies.NONE.with(MODEL, queued(1).maxWait(seconds(20))));
        sync(MODEL).isAdmitted();
        Claim old = sync(MODEL).waits();
        timePasses(seconds(12));

        Claim taken = submit(by("second connection", HOLDER, old.ask())).waits();

        assertThat(taken.deadlineIn()).isEqualTo(seconds(8));
        timePasses(seconds(8));
        taken.evicted(Eviction.QUEUE_TIMEOUT);
    }

    @Test
    void aTaskIsTakenOverAgainAndAgain() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim first = sync(MODEL).waits();
        Claim second = submit(by("second connection", HOLDER, first.ask())).waits();
        Claim third = submit(by("third connection", HOLDER, first.ask())).waits();

        first.evicted(Eviction.SUPERSEDED);
        second.evicted(Eviction.SUPERSEDED);
        running.release();

        third.isAdmitted();
        assertActive(MODEL, 1);
    }

    @Test
    void theSameWaiterAsksAgainAndKeepsItsPlace() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();
        silence(seconds(10));
        Claim behind = sync(MODEL).waits();

        Claim again = submit(claim.ask()).waits();
        silence(seconds(10));
        running.release();

        assertThat(again.admitted().epoch()).isPositive();
        behind.waits();
        assertActive(MODEL, 1);
    }

    @Test
    void theWaiterOfARunningTaskFindsItAdmitted() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();

        Admitted again = submit(running.ask()).admitted();

        assertThat(again.newly()).isFalse();
        assertThat(again.epoch()).isEqualTo(running.admitted().epoch());
        assertThat(again.leases()).isEqualTo(running.admitted().leases());
        assertActive(MODEL, 1);
        assertThat(admission.totals().admitted()).isEqualTo(1);
    }

    @Test
    void anotherConnectionCannotTakeARunningTask() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();

        submit(by("second connection", HOLDER, running.ask())).refused(Reason.IN_PROGRESS);

        running.release();
        assertActive(MODEL, 0);
    }

    @Test
    void anAsynchronousTaskAskedForAgainIsTheSameTask() {
        open(queued(MODEL, 1));
        Claim running = async(MODEL).isAdmitted();
        Claim waiting = async(MODEL).waits();

        assertThat(submit(running.ask()).admitted().newly()).isFalse();
        submit(waiting.ask()).waits();

        assertThat(waiting(MODEL)).isEqualTo(1);
        running.release();
        assertActive(MODEL, 1);
    }

    @Test
    void aTakeoverUnderAnotherBindingMovesTheTask() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)));
        sync(MODEL).isAdmitted();
        Claim old = sync(MODEL).waits();

        Claim moved = submit(by("second connection", HOLDER, instead(old.ask(), one(OTHER_MODEL))));

        old.evicted(Eviction.SUPERSEDED);
        moved.isAdmitted();
        assertThat(waiting(MODEL)).isZero();
        assertActive(OTHER_MODEL, 1);
    }

    @Test
    void aWaiterThatAsksForAnotherBindingMovesItsTask() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        submit(instead(claim.ask(), one(OTHER_MODEL))).isAdmitted();

        assertThat(waiting(MODEL)).isZero();
        assertActive(MODEL, 1);
        assertActive(OTHER_MODEL, 1);
    }

    @Test
    void aRunningTaskAskedForUnderAnotherBindingIsFailedOver() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)));
        Claim running = sync(MODEL).isAdmitted();

        Admitted moved = submit(instead(running.ask(), one(OTHER_MODEL))).admitted();

        assertThat(moved.epoch()).isGreaterThan(running.admitted().epoch());
        assertActive(MODEL, 0);
        assertActive(OTHER_MODEL, 1);
        assertThat(running.tryRelease()).isFalse();
    }

    @Test
    void aTakeoverWithAShorterBoundWaitsInItsPlace() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim old = sync(MODEL).waits();
        Ask shorter = by("second connection", HOLDER, old.ask()).within(MaxWait.atMost(seconds(5)));

        Claim taken = submit(shorter).waits();
        running.release();

        taken.isAdmitted();
    }
}
