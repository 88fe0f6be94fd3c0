package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Ordering;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.Waiting;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rule 13: a waiting task moves to another binding and keeps its age. */
abstract class RebindContract extends ContractGroup {
    RebindContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private Decision rebind(Ask ask) {
        return await(admission.rebind(ask)).orElseThrow();
    }

    private Decision rebind(Claim claim, Demand... demands) {
        return rebind(instead(claim.ask(), List.of(demands)));
    }

    private static Reason refusal(Decision decision) {
        assertThat(decision).isInstanceOf(Rejected.class);
        return ((Rejected) decision).refusal().reason();
    }

    @Test
    void aTaskThatMovesKeepsItsSequenceAndItsPriority() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)));
        sync(MODEL).isAdmitted();
        Claim busy = sync(OTHER_MODEL).isAdmitted();
        Claim old = sync(MODEL).waits();
        long sequence = old.view().sequence();
        Claim younger = sync(OTHER_MODEL).waits();

        assertThat(rebind(old, Demand.one(OTHER_MODEL))).isInstanceOf(Waiting.class);

        assertThat(old.view().sequence()).isEqualTo(sequence);
        assertThat(old.view().priority()).isEqualTo(NORMAL);
        assertThat(waiting(MODEL)).isZero();
        assertThat(waiting(OTHER_MODEL)).isEqualTo(2);
        busy.release();
        old.isAdmitted();
        younger.waits();
    }

    @Test
    void aTaskThatMovesToFreeRoomRunsAtOnce() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        Decision decision = rebind(claim, Demand.one(OTHER_MODEL));

        assertThat(decision).isInstanceOf(Admitted.class);
        assertThat(claim.admitted().epoch()).isEqualTo(((Admitted) decision).epoch());
        assertActive(MODEL, 1);
        assertActive(OTHER_MODEL, 1);
    }

    @Test
    void theEarlierDeadlineIsKept() {
        open(Policies.NONE
                .with(MODEL, queued(1).maxWait(seconds(20)))
                .with(OTHER_MODEL, queued(1).maxWait(seconds(500))));
        sync(MODEL).isAdmitted();
        sync(OTHER_MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();
        timePasses(seconds(5));

        rebind(claim, Demand.one(OTHER_MODEL));

        assertThat(claim.deadlineIn()).isEqualTo(seconds(15));
    }

    @Test
    void anEarlierDeadlineOfTheNewBindingApplies() {
        open(Policies.NONE
                .with(MODEL, queued(1).maxWait(seconds(500)))
                .with(OTHER_MODEL, queued(1).maxWait(seconds(20))));
        sync(MODEL).isAdmitted();
        sync(OTHER_MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();
        timePasses(seconds(5));

        rebind(claim, Demand.one(OTHER_MODEL));

        assertThat(claim.deadlineIn()).isLessThanOrEqualTo(seconds(20)).isGreaterThanOrEqualTo(seconds(15));
    }

    @Test
    void aRefusedMoveLeavesTheTaskWhereItWas() {
        open(queued(MODEL, 1).with(OTHER_MODEL, ScopePolicy.limit(1).queue(1)));
        Claim running = sync(MODEL).isAdmitted();
        sync(OTHER_MODEL).isAdmitted();
        sync(OTHER_MODEL).waits();
        Claim claim = sync(MODEL).waits();

        assertThat(refusal(rebind(claim, Demand.one(OTHER_MODEL)))).isEqualTo(Reason.QUEUE_FULL);
        assertThat(refusal(rebind(claim, units(OTHER_MODEL, 2)))).isEqualTo(Reason.AMOUNT_UNSATISFIABLE);

        claim.waits();
        assertThat(waiting(MODEL)).isEqualTo(1);
        assertThat(waiting(OTHER_MODEL)).isEqualTo(1);
        running.release();
        claim.isAdmitted();
    }

    @Test
    void aTasksOwnPlaceDoesNotCountAgainstIt() {
        open(Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(1)).with(GROUP, queued(5)));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        assertThat(rebind(claim, Demand.one(MODEL), Demand.one(GROUP))).isInstanceOf(Waiting.class);

        assertThat(waiting(GROUP)).isEqualTo(1);
        assertThat(waiting(MODEL)).isEqualTo(1);
    }

    @Test
    void anAsynchronousTasksOwnPlaceDoesNotCountAgainstIt() {
        open(Policies.NONE.with(MODEL, ScopePolicy.limit(2).queue(1)).with(GROUP, queued(5)));
        sync(units(MODEL, 2)).isAdmitted();
        Claim claim = async(MODEL).waits();

        assertThat(rebind(claim, Demand.one(MODEL), Demand.one(GROUP))).isInstanceOf(Waiting.class);
        assertThat(refusal(rebind(claim, units(MODEL, 2)))).isEqualTo(Reason.QUEUE_FULL);
    }

    @Test
    void theQueueThatATaskLeavesMovesOn() {
        open(queued(MODEL, 4).with(OTHER_MODEL, queued(1)).with(QueueingPolicy.DEFAULT.ordering(Ordering.STRICT)));
        sync(units(MODEL, 3)).isAdmitted();
        sync(OTHER_MODEL).isAdmitted();
        Claim head = sync(units(MODEL, 2)).waits();
        Claim next = sync(MODEL).waits();

        rebind(head, Demand.one(OTHER_MODEL));

        next.isAdmitted();
        head.waits();
    }

    @Test
    void aSmallerAmountMayRunWhereTheLargerCouldNot() {
        open(queued(MODEL, 4));
        sync(units(MODEL, 3)).isAdmitted();
        Claim claim = sync(units(MODEL, 2)).waits();

        assertThat(rebind(claim, units(MODEL, 1))).isInstanceOf(Admitted.class);

        assertActive(MODEL, 4);
    }

    @Test
    void aTaskMovesToAnotherRoute() {
        open(route("chat", ProviderPolicy.of("a", 1))
                .with(ProviderPolicy.of("b", 1))
                .with(RoutePolicy.of("code", OTHER_MODEL, List.of("b"))));
        routed("chat").isAdmitted();
        Claim claim = routed("chat").waits();

        assertThat(rebind(claim.ask().on(Routing.to("code")))).isInstanceOf(Admitted.class);

        assertThat(claim.provider()).isEqualTo("b");
        assertThat(provider("a").waiting()).isZero();
        assertThat(refusal(rebind(routed("chat").ask().on(Routing.to("nowhere")))))
                .isEqualTo(Reason.UNKNOWN_ROUTE);
    }

    @Test
    void aRunningTaskIsReturnedAsItIs() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)));
        Claim running = sync(MODEL).isAdmitted();

        Decision decision = rebind(running, Demand.one(OTHER_MODEL));

        assertThat(decision).isInstanceOf(Admitted.class);
        assertThat(((Admitted) decision).epoch()).isEqualTo(running.admitted().epoch());
        assertThat(((Admitted) decision).newly()).isFalse();
        assertActive(MODEL, 1);
        assertActive(OTHER_MODEL, 0);
    }

    @Test
    void anUnknownTaskIsNotRebound() {
        open(queued(MODEL, 1));

        assertThat(await(admission.rebind(ask(MODEL)))).isEmpty();

        assertThat(snapshot().queueDepth()).isZero();
        assertActive(MODEL, 0);
    }
}
