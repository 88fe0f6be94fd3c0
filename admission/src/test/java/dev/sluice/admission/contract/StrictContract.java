package dev.sluice.admission.contract;

import dev.sluice.admission.Eviction;
import dev.sluice.admission.Ordering;
import dev.sluice.admission.Policies;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.WaitReason.Kind;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rule 4, strict: a task runs only as head of its platform-model queue and of its group queue. */
abstract class StrictContract extends ContractGroup {
    StrictContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private void openStrict(Policies policies) {
        open(policies.with(QueueingPolicy.DEFAULT.ordering(Ordering.STRICT)));
    }

    @Test
    void theHeadOfAModelBlocksSmallerTasksBehindIt() {
        openStrict(queued(MODEL, 4));
        Claim running = sync(units(MODEL, 3)).isAdmitted();
        Claim head = sync(units(MODEL, 2)).waits();

        Claim behind = sync(MODEL).waits(Kind.BEHIND_OTHERS);
        running.release();

        head.isAdmitted();
        behind.isAdmitted();
    }

    @Test
    void theHeadOfAGroupBlocksTheGroupsTasksForOtherModels() {
        openStrict(queued(MODEL, 1).with(OTHER_MODEL, queued(5)).with(GROUP, queued(5)));
        Claim running = sync(MODEL, GROUP).isAdmitted();
        Claim head = sync(MODEL, GROUP).waits();

        Claim behind = sync(OTHER_MODEL, GROUP).waits(Kind.BEHIND_OTHERS);
        sync(OTHER_MODEL, OTHER_GROUP).waits();
        running.release();

        head.isAdmitted();
        behind.isAdmitted();
    }

    @Test
    void theHeadOfAnUnlimitedGroupBlocksToo() {
        openStrict(queued(MODEL, 1).with(OTHER_MODEL, queued(5)));
        sync(MODEL, GROUP).isAdmitted();
        sync(MODEL, GROUP).waits();

        sync(OTHER_MODEL, GROUP).waits(Kind.BEHIND_OTHERS);
    }

    @Test
    void workerCapacityIsNoQueueOfItsOwn() {
        openStrict(queued(MODEL, 1).with(OTHER_MODEL, queued(5)).with(WORKER, queued(5)));
        async(MODEL, WORKER).isAdmitted();
        async(MODEL, WORKER).waits();

        async(OTHER_MODEL, WORKER).isAdmitted();
    }

    @Test
    void tasksThatShareNoQueueDoNotBlockEachOther() {
        openStrict(queued(MODEL, 1).with(OTHER_MODEL, queued(5)));
        sync(MODEL, GROUP).isAdmitted();
        sync(MODEL, GROUP).waits();

        sync(OTHER_MODEL, OTHER_GROUP).isAdmitted();
    }

    @Test
    void aHeadThatLeavesLetsTheNextRun() {
        openStrict(queued(MODEL, 4));
        sync(units(MODEL, 3)).isAdmitted();
        Claim head = sync(units(MODEL, 2)).waits();
        Claim behind = sync(MODEL).waits();

        await(admission.cancel(head.task(), Eviction.CANCELLED));

        behind.isAdmitted();
    }

    @Test
    void aChangeToWorkConservingStartsWhoeverFits() {
        openStrict(queued(MODEL, 4));
        sync(units(MODEL, 3)).isAdmitted();
        Claim head = sync(units(MODEL, 2)).waits();
        Claim behind = sync(MODEL).waits();

        configure(queued(MODEL, 4));

        behind.isAdmitted();
        head.waits();
    }
}
