package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Ask;
import dev.sluice.admission.TaskFilter;
import dev.sluice.admission.TaskView;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rules 1, 5 and 10: by priority, then by arrival; no barging; whoever can run runs in the step that made it so. */
abstract class OrderContract extends ContractGroup {
    OrderContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    @Test
    void tasksOfOnePriorityRunInTheOrderOfArrival() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        List<Claim> queue = many(5, () -> sync(MODEL));

        for (Claim next : queue) {
            next.waits();
            running.release();
            running = next.isAdmitted();
        }
    }

    @Test
    void aLowerPriorityNumberRunsFirst() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim worst = sync(200, MODEL).waits();
        Claim usual = sync(100, MODEL).waits();
        Claim best = sync(50, MODEL).waits();

        running.release();
        best.isAdmitted();
        usual.waits();
        best.release();
        usual.isAdmitted();
        worst.waits();
        usual.release();
        worst.isAdmitted();
    }

    @Test
    void equalPrioritiesKeepTheOrderOfArrivalAmongOthers() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim second = sync(100, MODEL);
        Claim fourth = sync(200, MODEL);
        Claim first = sync(50, MODEL);
        Claim third = sync(100, MODEL);

        assertThat(admission.list(TaskFilter.ALL).stream()
                        .filter(TaskView::waiting)
                        .map(TaskView::task))
                .containsExactly(first.task(), second.task(), third.task(), fourth.task());
    }

    @Test
    void theOrderFollowsTheSequenceNotTheTaskId() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        UUID lateId = new UUID(-1L >>> 1, -1L);
        UUID earlyId = new UUID(0L, 1L);
        Claim first = submit(Ask.sync(lateId, "late", HOLDER, NORMAL, one(MODEL)));
        Claim second = submit(Ask.sync(earlyId, "early", HOLDER, NORMAL, one(MODEL)));

        assertThat(first.view().sequence()).isLessThan(second.view().sequence());
        assertThat(admission.list(TaskFilter.ALL).stream()
                        .filter(TaskView::waiting)
                        .map(TaskView::task))
                .containsExactly(lateId, earlyId);
    }

    @Test
    void aNewcomerNeverBargesPastAWaiterOfItsScope() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim waiter = sync(MODEL).waits();

        running.release();
        Claim newcomer = sync(MODEL);

        waiter.isAdmitted();
        newcomer.waits();
    }

    @Test
    void aNewcomerOfABetterPriorityRunsBeforeThoseWhoWait() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim waiter = sync(MODEL).waits();
        Claim urgent = sync(10, MODEL).waits();

        running.release();

        urgent.isAdmitted();
        waiter.waits();
    }

    @Test
    void oneReleaseStartsEveryTaskThatNowFits() {
        open(queued(MODEL, 4));
        Claim running = sync(units(MODEL, 4)).isAdmitted();
        List<Claim> queue = many(5, () -> sync(MODEL));

        running.release();

        queue.subList(0, 4).forEach(Claim::isAdmitted);
        queue.get(4).waits();
    }

    @Test
    void oneReleaseServesTheWaiterOfAnotherGroup() {
        open(queued(MODEL, 1).with(GROUP, queued(5)).with(OTHER_GROUP, queued(5)));
        Claim running = sync(MODEL, GROUP).isAdmitted();
        Claim other = sync(MODEL, OTHER_GROUP).waits();
        Claim same = sync(MODEL, GROUP).waits();

        running.release();

        other.isAdmitted();
        same.waits();
    }

    @Test
    void aBlockedTaskDoesNotHoldUpThoseWhoNeedOtherScopes() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)).with(GROUP, queued(10)));
        sync(MODEL, GROUP).isAdmitted();
        sync(MODEL, GROUP).waits();

        sync(OTHER_MODEL, GROUP).isAdmitted();
    }

    @Test
    void tenThousandWaitersOfAFullModelDoNotHideOneOfAnIdleModel() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)).with(GROUP, queued(10)));
        sync(MODEL, GROUP).isAdmitted();
        many(10_000, () -> sync(MODEL, GROUP));
        Claim busy = sync(OTHER_MODEL, GROUP).isAdmitted();
        Claim waiter = sync(OTHER_MODEL, GROUP).waits();

        busy.release();

        waiter.isAdmitted();
    }

    @Test
    void anAsynchronousHeadWithoutAWorkerDoesNotHoldUpSynchronousTasks() {
        open(queued(MODEL, 2).with(WORKER, queued(1)));
        async(WORKER).isAdmitted();
        async(MODEL, WORKER).waits();

        Claim first = sync(MODEL).isAdmitted();
        sync(MODEL).isAdmitted();
        Claim waiter = sync(MODEL).waits();
        first.release();

        waiter.isAdmitted();
    }

    @Test
    void synchronousAndAsynchronousTasksShareOneLine() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim async = async(MODEL).waits();
        Claim sync = sync(MODEL).waits();

        running.release();

        async.isAdmitted();
        sync.waits();
    }

    @Test
    void nobodyWaitsWhoCouldRunWhateverTheOrderOfReleases() {
        open(queued(MODEL, 3).with(GROUP, queued(2)).with(OTHER_GROUP, queued(2)));
        Claim a = sync(MODEL, GROUP).isAdmitted();
        Claim b = sync(MODEL, GROUP).isAdmitted();
        Claim c = sync(MODEL, OTHER_GROUP).isAdmitted();
        Claim groupFull = sync(MODEL, GROUP).waits();
        Claim modelFull = sync(MODEL, OTHER_GROUP).waits();

        c.release();
        modelFull.isAdmitted();
        groupFull.waits();
        a.release();
        groupFull.isAdmitted();
        b.release();
        assertActive(MODEL, 2);
    }
}
