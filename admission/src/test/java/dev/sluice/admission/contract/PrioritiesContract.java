package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Ordering;
import dev.sluice.admission.Policies;
import dev.sluice.admission.QueueingPolicy;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A waiting task moves to its place under another priority and keeps its age. */
abstract class PrioritiesContract extends ContractGroup {
    PrioritiesContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private boolean change(Claim claim, int priority) {
        return await(admission.changePriority(claim.task(), priority));
    }

    @Test
    void aTaskThatIsPreferredRunsFirst() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim first = sync(MODEL).waits();
        Claim second = sync(MODEL).waits();

        assertThat(change(second, 10)).isTrue();
        running.release();

        second.isAdmitted();
        first.waits();
    }

    @Test
    void aTaskThatIsPutBackRunsLater() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim first = sync(MODEL).waits();
        Claim second = sync(MODEL).waits();

        change(first, 900);
        running.release();

        second.isAdmitted();
        first.waits();
        assertThat(first.view().priority()).isEqualTo(900);
    }

    @Test
    void withinItsNewPriorityATaskKeepsItsAge() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim oldest = sync(200, MODEL).waits();
        Claim younger = sync(100, MODEL).waits();

        change(oldest, 100);
        running.release();

        oldest.isAdmitted();
        younger.waits();
    }

    @Test
    void aChangeThatLeavesAnotherAtTheHeadLetsItRun() {
        open(queued(MODEL, 4).with(QueueingPolicy.DEFAULT.ordering(Ordering.STRICT)));
        sync(units(MODEL, 3)).isAdmitted();
        Claim head = sync(units(MODEL, 2)).waits();
        Claim small = sync(MODEL).waits();

        change(small, 10);

        small.isAdmitted();
        head.waits();
    }

    @Test
    void aChangeKeepsTheDeadline() {
        open(Policies.NONE.with(MODEL, queued(1).maxWait(seconds(20))));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();
        timePasses(seconds(12));

        change(claim, 10);

        assertThat(claim.deadlineIn()).isEqualTo(seconds(8));
    }

    @Test
    void onlyAWaitingTaskHasAPriorityToChange() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();

        assertThat(change(running, 10)).isFalse();
        assertThat(await(admission.changePriority(newTask(), 10))).isFalse();

        running.release();
    }
}
