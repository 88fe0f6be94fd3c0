package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Ask;
import dev.sluice.admission.DispatchPolicy;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.Refusal;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.WaitReason;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rule 6: whoever must wait is tested against each of its scopes, for what it waits for. */
abstract class QueueLimitsContract extends ContractGroup {
    QueueLimitsContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private static Policies dispatch(Policies policies, int maxQueue) {
        return policies.with(QueueingPolicy.DEFAULT.dispatch(new DispatchPolicy(maxQueue, seconds(30))));
    }

    @Test
    void asManyWaitAsTheQueueAllowsAndTheNextIsRefused() {
        open(Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(2)));
        sync(MODEL).isAdmitted();
        sync(MODEL).waits();
        sync(MODEL).waits();

        Refusal refusal = sync(MODEL).refused(Reason.QUEUE_FULL);

        assertThat(refusal.scope()).isEqualTo(MODEL);
        assertThat(refusal.metric()).isEqualTo("queue_size");
        assertThat(refusal.limit()).isEqualTo(2);
        assertThat(refusal.waiting()).isEqualTo(2);
        assertThat(refusal.queueLimit()).isEqualTo(2);
        assertThat(refusal.retryable()).isTrue();
        assertThat(waiting(MODEL)).isEqualTo(2);
    }

    @Test
    void aTaskThatCanRunIsAdmittedThoughAQueueIsFull() {
        open(Policies.NONE
                .with(MODEL, ScopePolicy.limit(1).queue(1))
                .with(GROUP, ScopePolicy.limit(5).queue(1))
                .with(OTHER_MODEL, queued(5)));
        sync(MODEL, GROUP).isAdmitted();
        sync(MODEL, GROUP).waits();

        sync(OTHER_MODEL, GROUP).isAdmitted();
    }

    @Test
    void everyScopeOfATaskMustAcceptItsWait() {
        open(queued(MODEL, 1).with(GROUP, ScopePolicy.limit(10).queue(1)));
        sync(MODEL).isAdmitted();
        sync(MODEL, GROUP).waits();

        Refusal refusal = sync(MODEL, GROUP).refused(Reason.QUEUE_FULL);

        assertThat(refusal.scope()).isEqualTo(GROUP);
        sync(MODEL).waits();
    }

    @Test
    void aSaturatedScopeWithoutAQueueRefuses() {
        open(limit(MODEL, 1));
        sync(MODEL).isAdmitted();

        Refusal refusal = sync(MODEL).refused(Reason.CONCURRENCY_LIMIT_EXCEEDED);

        assertThat(refusal.metric()).isEqualTo("concurrent");
        assertThat(refusal.scope()).isEqualTo(MODEL);
    }

    @Test
    void aScopeWithoutAQueueDoesNotRefuseATaskThatWaitsForAnother() {
        open(queued(MODEL, 1).with(GROUP, ScopePolicy.limit(5)));
        sync(MODEL).isAdmitted();

        sync(MODEL, GROUP).waits();
        sync(MODEL, GROUP).waits();
    }

    @Test
    void aScopeWithoutAQueueRefusesWhileATaskAheadWaitsForIt() {
        open(queued(MODEL, 1).with(GROUP, ScopePolicy.limit(3)));
        sync(MODEL).isAdmitted();
        sync(units(MODEL, 1), units(GROUP, 2)).waits();
        sync(units(GROUP, 2)).isAdmitted();

        Refusal refusal = sync(MODEL, GROUP).refused(Reason.CONCURRENCY_LIMIT_EXCEEDED);

        assertThat(refusal.scope()).isEqualTo(GROUP);
    }

    @Test
    void limitThreeAndQueueFiveRegisterEightAsynchronousTasksWithoutAWorkerAndRefuseTheNinth() {
        open(Policies.NONE.with(MODEL, ScopePolicy.limit(3).queue(5)).with(WORKER, queued(1)));
        async(WORKER).isAdmitted();

        many(8, () -> async(MODEL, WORKER)).forEach(Claim::waits);

        Refusal refusal = async(MODEL, WORKER).refused(Reason.QUEUE_FULL);
        assertThat(refusal.scope()).isEqualTo(MODEL);
        assertThat(waiting(MODEL)).isEqualTo(8);
    }

    @Test
    void runningTasksCountAgainstTheRegistrationOfAsynchronousOnes() {
        open(Policies.NONE.with(MODEL, ScopePolicy.limit(3).queue(2)));
        many(3, () -> async(MODEL)).forEach(Claim::isAdmitted);

        many(2, () -> async(MODEL)).forEach(Claim::waits);

        async(MODEL).refused(Reason.QUEUE_FULL);
    }

    @Test
    void asynchronousAmountsQueueAsWholeTasksRoundedUp() {
        open(Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(1)));
        sync(MODEL).isAdmitted();

        async(part(MODEL, "0.5")).waits();
        async(part(MODEL, "0.5")).waits();

        async(part(MODEL, "0.1")).refused(Reason.QUEUE_FULL);
    }

    @Test
    void theQueueOfAScopeCountsTasksOfBothKinds() {
        open(Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(2)));
        sync(MODEL).isAdmitted();
        async(MODEL).waits();
        sync(MODEL).waits();

        sync(MODEL).refused(Reason.QUEUE_FULL);
    }

    @Test
    void aTaskWhoseDeadlinePassedDoesNotFillTheQueue() {
        open(Policies.NONE.with(
                MODEL, ScopePolicy.limit(1).queue(1).maxWait(seconds(10)).leaseTtl(seconds(600))));
        sync(MODEL).isAdmitted();
        sync(MODEL).waits();

        fixture.elapse(seconds(10));

        sync(MODEL).waits();
    }

    @Test
    void aTaskWhoseWaiterIsLostDoesNotFillTheQueue() {
        open(Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(1)));
        sync(MODEL).isAdmitted();
        sync(MODEL).waits();

        fixture.elapse(seconds(15));

        sync(MODEL).waits();
    }

    @Test
    void aLoweredQueueLimitRefusesNewcomersAndKeepsThoseWhoWait() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        List<Claim> queue = many(3, () -> sync(MODEL));

        configure(Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(1)));

        sync(MODEL).refused(Reason.QUEUE_FULL);
        running.release();
        queue.getFirst().isAdmitted();
        queue.subList(1, 3).forEach(Claim::waits);
    }

    @Test
    void aRaisedQueueLimitLetsMoreWait() {
        open(Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(1)));
        sync(MODEL).isAdmitted();
        sync(MODEL).waits();
        sync(MODEL).refused(Reason.QUEUE_FULL);

        configure(Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(2)));

        sync(MODEL).waits();
        sync(MODEL).refused(Reason.QUEUE_FULL);
    }

    @Test
    void aTaskThatMayNotQueueRunsOrIsRefused() {
        open(queued(MODEL, 1));

        submit(ask(MODEL).within(MaxWait.DO_NOT_QUEUE)).isAdmitted();
        Refusal refusal = submit(ask(MODEL).within(MaxWait.DO_NOT_QUEUE)).refused(Reason.CONCURRENCY_LIMIT_EXCEEDED);

        assertThat(refusal.scope()).isEqualTo(MODEL);
        assertThat(refusal.current()).isEqualTo(Amount.ONE);
        assertThat(snapshot().queueDepth()).isZero();
    }

    @Test
    void aTaskThatMayNotQueueIsRefusedWhenOnlyProvidersAreFull() {
        open(route("chat", ProviderPolicy.of("gpu", 1)));
        submit(ask(Routing.to("chat")).within(MaxWait.DO_NOT_QUEUE)).isAdmitted();

        submit(ask(Routing.to("chat")).within(MaxWait.DO_NOT_QUEUE)).refused(Reason.CONCURRENCY_LIMIT_EXCEEDED);
    }

    @Test
    void asManyWaitForAProviderOnlyAsTheDispatchQueueAllows() {
        open(dispatch(route("chat", ProviderPolicy.of("gpu", 1)), 2));
        routed("chat").isAdmitted();
        routed("chat").waits();
        routed("chat").waits();

        Refusal refusal = routed("chat").refused(Reason.QUEUE_FULL);

        assertThat(refusal.metric()).isEqualTo("queue_size");
        assertThat(refusal.queueLimit()).isEqualTo(2);
        assertThat(refusal.waiting()).isEqualTo(2);
    }

    @Test
    void nobodyWaitsForAProviderWithADispatchQueueOfZero() {
        open(dispatch(route("chat", ProviderPolicy.of("gpu", 1)), 0));
        routed("chat").isAdmitted();

        assertThat(routed("chat").refused(Reason.QUEUE_FULL).retryable()).isTrue();
    }

    @Test
    void theDispatchQueueIsSharedByAllRoutesWithoutTheirOwn() {
        RoutePolicy other = RoutePolicy.of("other", OTHER_MODEL, List.of("cpu"));
        open(dispatch(route("chat", ProviderPolicy.of("gpu", 1)), 2)
                .with(ProviderPolicy.of("cpu", 1))
                .with(other));
        routed("chat").isAdmitted();
        routed("other").isAdmitted();
        routed("chat").waits();
        routed("other").waits();

        routed("chat").refused(Reason.QUEUE_FULL);
        routed("other").refused(Reason.QUEUE_FULL);
    }

    @Test
    void aRouteMayHaveADispatchQueueOfItsOwn() {
        RoutePolicy other = new RoutePolicy(
                "other",
                List.of(new RoutePolicy.Entry(OTHER_MODEL, List.of("cpu"), seconds(0))),
                Optional.of(new DispatchPolicy(1, seconds(30))));
        open(dispatch(route("chat", ProviderPolicy.of("gpu", 1)), 2)
                .with(ProviderPolicy.of("cpu", 1))
                .with(other));
        routed("chat").isAdmitted();
        routed("other").isAdmitted();
        routed("other").waits();

        routed("other").refused(Reason.QUEUE_FULL);
        routed("chat").waits();
        routed("chat").waits();
        routed("chat").refused(Reason.QUEUE_FULL);
    }

    @Test
    void tasksThatWaitForAScopeDoNotFillTheDispatchQueue() {
        open(dispatch(route("chat", ProviderPolicy.of("gpu", 5)), 1).with(GROUP, queued(1)));
        routed("chat", GROUP).isAdmitted();
        routed("chat", GROUP).waits();
        routed("chat", GROUP).waits();
        many(4, () -> routed("chat")).forEach(Claim::isAdmitted);

        routed("chat").waits();
        routed("chat").refused(Reason.QUEUE_FULL);
    }

    @Test
    void aTaskThatFindsAScopeFullTooIsNotBoundByTheDispatchQueue() {
        open(dispatch(route("chat", ProviderPolicy.of("gpu", 1)), 1).with(GROUP, queued(1)));
        routed("chat").isAdmitted();
        routed("chat", GROUP).waits(WaitReason.Kind.CAPACITY_FULL);
        sync(GROUP).isAdmitted();

        routed("chat", GROUP).waits();
    }

    @Test
    void anAsynchronousTaskIsNotBoundByTheDispatchQueue() {
        open(dispatch(route("chat", ProviderPolicy.of("gpu", 1)), 0));
        routed("chat").isAdmitted();

        submit(Ask.async(newTask(), NORMAL, one(GROUP)).on(Routing.to("chat"))).waits();
    }
}
