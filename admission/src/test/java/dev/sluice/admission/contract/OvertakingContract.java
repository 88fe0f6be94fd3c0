package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Eviction;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.WaitReason.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rule 4, work-conserving: who may overtake, what counts as an overtake, and where it ends. */
abstract class OvertakingContract extends ContractGroup {
    OvertakingContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private static QueueingPolicy overtakes(int most) {
        return QueueingPolicy.DEFAULT.maxOvertakes(most);
    }

    @Test
    void aSmallTaskPassesALargeOneThatDoesNotFit() {
        open(queued(MODEL, 4));
        sync(units(MODEL, 3)).isAdmitted();
        Claim large = sync(units(MODEL, 2)).waits();

        sync(MODEL).isAdmitted();

        assertThat(large.view().overtakes()).isEqualTo(1);
    }

    @Test
    void aLargeTaskAmongSmallOnesStartsWithinABoundedNumberOfStarts() {
        int most = 20;
        open(queued(MODEL, 8).with(overtakes(most)));
        Queue<Claim> running = new ArrayDeque<>(many(8, () -> sync(MODEL)));
        Claim large = sync(units(MODEL, 8)).waits();
        List<Claim> small = new ArrayList<>();
        int starts = 0;

        while (!large.turn().outcome().toCompletableFuture().isDone() && starts <= 2 * most) {
            small.add(sync(MODEL));
            if (!running.isEmpty()) {
                running.remove().release();
            }
            fixture.settle();
            for (Claim claim : List.copyOf(small)) {
                if (claim.turn().outcome().toCompletableFuture().isDone()) {
                    small.remove(claim);
                    running.add(claim.isAdmitted());
                    starts++;
                }
            }
        }

        large.isAdmitted();
        assertThat(starts).isLessThanOrEqualTo(most + 8);
    }

    @Test
    void aTaskThatWasOvertakenTooOftenSetsItsOwnAmountAsideAndNoMore() {
        open(queued(MODEL, 10).with(GROUP, queued(1)).with(overtakes(1)));
        sync(units(MODEL, 7), units(GROUP, 1)).isAdmitted();
        Claim starved = sync(units(MODEL, 3), units(GROUP, 1)).waits();
        Claim overtaker = sync(MODEL).isAdmitted();
        assertThat(starved.view().overtakes()).isEqualTo(1);

        Claim later = sync(MODEL).waits(Kind.BEHIND_OTHERS);
        overtaker.release();

        later.waits();
        assertActive(MODEL, 7);
        starved.waits();
    }

    @Test
    void roomBeyondWhatIsSetAsideIsUsed() {
        open(queued(MODEL, 10).with(GROUP, queued(1)).with(overtakes(1)));
        Claim groupHolder = sync(GROUP).isAdmitted();
        Claim filler = sync(units(MODEL, 7)).isAdmitted();
        Claim starved = sync(units(MODEL, 3), units(GROUP, 1)).waits();
        sync(MODEL).isAdmitted();
        filler.release();

        sync(units(MODEL, 6)).isAdmitted();
        sync(MODEL).waits();
        groupHolder.release();

        starved.isAdmitted();
        assertActive(MODEL, 10);
    }

    @Test
    void aTaskThatIsNotStarvedYetSetsNothingAside() {
        open(queued(MODEL, 10)
                .with(GROUP, queued(1))
                .with(OTHER_GROUP, queued(1))
                .with(overtakes(1)));
        sync(GROUP).isAdmitted();
        sync(OTHER_GROUP).isAdmitted();
        Claim filler = sync(units(MODEL, 6)).isAdmitted();
        Claim first = sync(units(MODEL, 4), units(GROUP, 1)).waits();
        Claim second = sync(units(MODEL, 5), units(OTHER_GROUP, 1)).waits();
        sync(MODEL).isAdmitted();
        assertThat(first.view().overtakes()).isEqualTo(1);
        assertThat(second.view().overtakes()).isZero();
        filler.release();

        sync(units(MODEL, 5)).isAdmitted();
        sync(MODEL).waits();
    }

    @Test
    void aLargeTaskBehindAStarvedOneThatWaitsElsewhereStartsToo() {
        open(queued(MODEL, 10).with(GROUP, queued(1)).with(overtakes(1)));
        sync(GROUP).isAdmitted();
        Queue<Claim> running = new ArrayDeque<>(many(10, () -> sync(MODEL)));
        running.forEach(Claim::isAdmitted);
        Claim elsewhere = sync(units(MODEL, 2), units(GROUP, 1)).waits();
        Claim large = sync(units(MODEL, 8)).waits();
        running.remove().release();
        running.add(sync(MODEL).isAdmitted());
        assertThat(elsewhere.view().overtakes()).isEqualTo(1);
        many(3, running::remove).forEach(Claim::release);
        running.add(sync(MODEL).isAdmitted());
        assertThat(large.view().overtakes()).isEqualTo(1);
        List<Claim> small = many(20, () -> sync(MODEL));

        while (!running.isEmpty()) {
            running.remove().release();
        }

        elsewhere.waits();
        large.isAdmitted();
        small.forEach(Claim::waits);
        assertActive(MODEL, 8);
    }

    @Test
    void amountsThatDoNotFitTogetherAreSetAsideInOrder() {
        open(queued(MODEL, 10).with(GROUP, queued(1)).with(overtakes(1)));
        sync(GROUP).isAdmitted();
        Claim filler = sync(units(MODEL, 9)).isAdmitted();
        sync(units(MODEL, 3), units(GROUP, 1)).waits();
        Claim large = sync(units(MODEL, 8)).waits();
        sync(MODEL).isAdmitted();
        filler.release();

        many(6, () -> sync(MODEL)).forEach(Claim::isAdmitted);
        sync(MODEL).waits();
        large.waits();
        assertActive(MODEL, 7);
    }

    @Test
    void anOvertakeThatLeavesRoomForTheWaiterDoesNotCount() {
        open(queued(MODEL, 1).with(GROUP, queued(10)).with(overtakes(1)));
        sync(MODEL, GROUP).isAdmitted();
        Claim blocked = sync(MODEL, GROUP).waits();

        many(8, () -> sync(GROUP)).forEach(Claim::isAdmitted);
        assertThat(blocked.view().overtakes()).isZero();
        sync(GROUP).isAdmitted();

        assertThat(blocked.view().overtakes()).isEqualTo(1);
    }

    @Test
    void aTaskBehindOneThatWouldFitAndWaitsElsewhereIsOvertakenToo() {
        open(queued(MODEL, 8).with(GROUP, queued(1)).with(overtakes(1)));
        sync(GROUP).isAdmitted();
        sync(MODEL, GROUP).waits();
        Claim filler = sync(units(MODEL, 5)).isAdmitted();
        Claim large = sync(units(MODEL, 7)).waits();

        sync(MODEL).isAdmitted();

        assertThat(large.view().overtakes()).isEqualTo(1);
        sync(MODEL).waits(Kind.BEHIND_OTHERS);
        filler.release();
        large.isAdmitted();
    }

    @Test
    void anOvertakeInAScopeThatTheWaiterDoesNotNeedDoesNotCount() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)).with(overtakes(1)));
        sync(MODEL).isAdmitted();
        Claim blocked = sync(MODEL).waits();

        sync(OTHER_MODEL).isAdmitted();

        assertThat(blocked.view().overtakes()).isZero();
    }

    @Test
    void aTaskOfABetterPriorityDoesNotOvertake() {
        open(queued(MODEL, 4).with(overtakes(1)));
        sync(units(MODEL, 2)).isAdmitted();
        Claim large = sync(units(MODEL, 3)).waits();

        sync(10, MODEL).isAdmitted();
        assertThat(large.view().overtakes()).isZero();
        sync(10, MODEL).isAdmitted();

        assertThat(large.view().overtakes()).isZero();
    }

    @Test
    void whatIsSetAsideIsFreeForTasksBeforeIt() {
        open(queued(MODEL, 4).with(overtakes(1)));
        Claim running = sync(units(MODEL, 3)).isAdmitted();
        Claim starved = sync(units(MODEL, 4)).waits();
        sync(MODEL).isAdmitted();
        running.release();

        sync(MODEL).waits();
        sync(10, MODEL).isAdmitted();

        starved.waits();
    }

    @Test
    void aThousandWaitersOfAFullModelLetTenThousandTasksOfTheirGroupPassToAnIdleOne() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(0)).with(GROUP, queued(10)));
        sync(MODEL, GROUP).isAdmitted();
        List<Claim> waiters = many(1_000, () -> sync(MODEL, GROUP));
        Queue<Claim> running = new ArrayDeque<>();

        for (int i = 0; i < 10_000; i++) {
            running.add(sync(OTHER_MODEL, GROUP).isAdmitted());
            if (running.size() == 8) {
                running.remove().release();
            }
        }

        assertThat(waiters.getFirst().waits().view().overtakes()).isZero();
    }

    @Test
    void aStarvedTaskOfAFullModelTakesNoMoreThanItsOwnAmountFromItsGroup() {
        open(queued(MODEL, 1)
                .with(OTHER_MODEL, queued(0))
                .with(GROUP, queued(10))
                .with(overtakes(2)));
        sync(MODEL, GROUP).isAdmitted();
        Claim waiter = sync(MODEL, GROUP).waits();
        many(9, () -> sync(MODEL, GROUP));
        Queue<Claim> running = new ArrayDeque<>(many(9, () -> sync(OTHER_MODEL, GROUP)));
        running.forEach(Claim::isAdmitted);
        running.remove().release();
        running.add(sync(OTHER_MODEL, GROUP).isAdmitted());
        assertThat(waiter.view().overtakes()).isEqualTo(2);
        running.remove().release();

        for (int i = 0; i < 1_000; i++) {
            running.remove().release();
            running.add(sync(OTHER_MODEL, GROUP).isAdmitted());
        }

        sync(OTHER_MODEL, GROUP).waits();
        assertActive(GROUP, 9);
    }

    @Test
    void theStarvedTaskRunsAsSoonAsItFits() {
        open(queued(MODEL, 4).with(overtakes(1)));
        Claim running = sync(units(MODEL, 3)).isAdmitted();
        Claim starved = sync(units(MODEL, 4)).waits();
        Claim small = sync(MODEL).isAdmitted();
        Claim later = sync(MODEL).waits();

        running.release();
        starved.waits();
        small.release();

        starved.isAdmitted();
        later.waits();
        starved.release();
        later.isAdmitted();
    }

    @Test
    void aStarvedTaskThatLeavesGivesBackWhatItSetAside() {
        open(queued(MODEL, 4).with(overtakes(1)));
        Claim running = sync(units(MODEL, 3)).isAdmitted();
        Claim starved = sync(units(MODEL, 4)).waits();
        sync(MODEL).isAdmitted();
        running.release();
        List<Claim> later = many(3, () -> sync(MODEL));
        later.forEach(Claim::waits);

        await(admission.cancel(starved.task(), Eviction.CANCELLED));

        later.forEach(Claim::isAdmitted);
    }

    @Test
    void aTaskBlockedByALongContextSlotSetsNothingAside() {
        open(route("chat", new ProviderPolicy("gpu", 3, 1, 0, true)).with(overtakes(1)));
        longContext("chat").isAdmitted();
        Claim blocked = longContext("chat").waits(Kind.LONG_CONTEXT_CAPACITY_FULL);

        for (int i = 0; i < 10; i++) {
            Claim first = routed("chat").isAdmitted();
            Claim second = routed("chat").isAdmitted();
            first.release();
            second.release();
        }

        blocked.waits();
    }
}
