package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Explanation;
import dev.sluice.admission.Place;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.TaskFilter;
import dev.sluice.admission.TaskView;
import dev.sluice.admission.Totals;
import dev.sluice.admission.WaitReason;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What operators and clients see: counts, lists, and why a task waits. */
abstract class ViewsContract extends ContractGroup {
    ViewsContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private static TaskFilter only(Optional<Boolean> waiting, Optional<Boolean> sync) {
        return new TaskFilter(waiting, sync, Optional.empty(), Optional.empty(), 1_000);
    }

    private Explanation explain(Claim claim) {
        Explanation explanation = admission.explain(claim.task()).orElseThrow();
        Place place = admission.place(claim.task()).orElseThrow();
        assertThat(place.waits()).isEqualTo(explanation.task().waiting());
        assertThat(place.position()).isEqualTo(explanation.position());
        return explanation;
    }

    @Test
    void aSnapshotCountsWhoWaitsAndWhatIsHeld() {
        open(queued(MODEL, 3).with(GROUP, ScopePolicy.limit(9).queue(8)));
        sync(units(MODEL, 3), units(GROUP, 2)).isAdmitted();
        sync(MODEL, GROUP).waits();
        silence(seconds(4));
        sync(MODEL).waits();
        async(MODEL, GROUP).waits();

        Snapshot snapshot = snapshot();

        assertThat(snapshot.waitingSync()).isEqualTo(2);
        assertThat(snapshot.waitingAsync()).isEqualTo(1);
        assertThat(snapshot.queueDepth()).isEqualTo(3);
        assertThat(snapshot.oldestWait()).isEqualTo(seconds(4));
        assertThat(snapshot.expiredWaiterBacklog()).isZero();
        assertThat(snapshot.expiredDeadlineBacklog()).isZero();
        assertThat(snapshot.scope(MODEL))
                .hasValue(new Snapshot.ScopeView(MODEL, Amount.units(3), Amount.units(3), 2, 1, 100_000));
        assertThat(snapshot.scope(GROUP))
                .hasValue(new Snapshot.ScopeView(GROUP, Amount.units(9), Amount.units(2), 1, 1, 8));
        assertThat(snapshot.scopes()).isSortedAccordingTo((a, b) -> a.scope().compareTo(b.scope()));
    }

    @Test
    void corpsesAreNotCountedInASnapshot() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        sync(MODEL).waits();

        fixture.elapse(seconds(15));

        assertThat(admission.snapshot().queueDepth()).isZero();
        assertThat(admission.snapshot().oldestWait()).isZero();
    }

    @Test
    void listsAreFilteredAndInTheOrderOfTheLedger() {
        open(route("chat", ProviderPolicy.of("gpu", 1)).with(MODEL, queued(2)).with(GROUP, queued(2)));
        Claim running = routed("chat", GROUP).isAdmitted();
        Claim second = routed("chat").waits();
        Claim first = submit(prioritised(ask(Routing.to("chat"), GROUP), 10)).waits();
        Claim async = submit(Ask.async(newTask(), 200, one(MODEL)).labelled("nightly"))
                .isAdmitted();

        assertThat(admission.list(only(Optional.of(true), Optional.empty())))
                .extracting(TaskView::task)
                .containsExactly(first.task(), second.task());
        assertThat(admission.list(only(Optional.of(false), Optional.empty())))
                .extracting(TaskView::task)
                .containsExactlyInAnyOrder(running.task(), async.task());
        assertThat(admission.list(only(Optional.empty(), Optional.of(false))))
                .extracting(TaskView::task)
                .containsExactly(async.task());
        assertThat(admission.list(
                        new TaskFilter(Optional.empty(), Optional.empty(), Optional.of(GROUP), Optional.empty(), 10)))
                .extracting(TaskView::task)
                .containsExactlyInAnyOrder(running.task(), first.task());
        assertThat(admission.list(
                        new TaskFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("chat"), 10)))
                .extracting(TaskView::task)
                .containsExactlyInAnyOrder(running.task(), first.task(), second.task());
        assertThat(admission.list(
                        new TaskFilter(Optional.of(true), Optional.empty(), Optional.empty(), Optional.empty(), 1)))
                .extracting(TaskView::task)
                .containsExactly(first.task());
        assertThat(async.view().label()).isEqualTo("nightly");
    }

    @Test
    void aTaskIsShownWithWhatItAskedForAndHolds() {
        open(route("chat", ProviderPolicy.of("gpu", 1)).with(GROUP, queued(5)));
        Claim running = routed("chat", GROUP).isAdmitted();
        silence(seconds(3));
        Claim waiter = routed("chat", GROUP).waits();
        silence(seconds(4));

        TaskView held = running.view();
        assertThat(held.waiting()).isFalse();
        assertThat(held.sync()).isTrue();
        assertThat(held.epoch()).isEqualTo(running.admitted().epoch());
        assertThat(held.leases()).isEqualTo(running.admitted().leases());
        assertThat(held.placement()).isEqualTo(running.admitted().placement());
        assertThat(held.deadlineIn()).isEmpty();
        assertThat(held.age()).isEqualTo(seconds(7));
        TaskView queued = waiter.view();
        assertThat(queued.waiting()).isTrue();
        assertThat(queued.epoch()).isZero();
        assertThat(queued.leases()).isEmpty();
        assertThat(queued.placement()).isEmpty();
        assertThat(queued.routing()).hasValue(Routing.to("chat"));
        assertThat(queued.demands()).isEqualTo(one(GROUP));
        assertThat(queued.age()).isEqualTo(seconds(4));
    }

    @Test
    void anExplanationNamesEveryScopeThatLacksRoomAndWhoHoldsIt() {
        open(queued(MODEL, 1).with(GROUP, queued(1)).with(OTHER_GROUP, queued(1)));
        Claim model = sync(MODEL).isAdmitted();
        Claim group = sync(GROUP).isAdmitted();

        Explanation explanation = explain(sync(MODEL, GROUP, OTHER_GROUP).waits());

        assertThat(explanation.blockedBy())
                .containsExactlyInAnyOrder(
                        new Explanation.Blocker(MODEL, Amount.ONE, Amount.ONE, List.of(model.task())),
                        new Explanation.Blocker(GROUP, Amount.ONE, Amount.ONE, List.of(group.task())));
        assertThat(explain(model).blockedBy()).isEmpty();
    }

    @Test
    void anExplanationNamesTheProvidersThatAreFull() {
        open(route("chat", ProviderPolicy.of("gpu", 1)));
        Claim running = routed("chat").isAdmitted();

        Explanation explanation = explain(routed("chat").waits());

        assertThat(explanation.blockedBy())
                .extracting(Explanation.Blocker::scope)
                .containsExactly(Scope.provider("gpu"));
        assertThat(explanation.blockedBy().getFirst().holders()).containsExactly(running.task());
    }

    @Test
    void atMostTenHoldersAreNamedTheLongestFirst() {
        open(queued(MODEL, 20));
        List<Claim> running = many(20, () -> sync(MODEL));

        var holders = explain(sync(MODEL).waits()).blockedBy().getFirst().holders();

        assertThat(holders)
                .containsExactlyElementsOf(
                        running.subList(0, 10).stream().map(Claim::task).toList());
    }

    @Test
    void thePositionCountsThoseAhead() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim first = sync(MODEL).waits();
        Claim second = sync(MODEL).waits();
        Claim urgent = sync(10, MODEL).waits();
        silence(seconds(6));

        assertThat(explain(urgent).position()).isEqualTo(1);
        assertThat(explain(first).position()).isEqualTo(2);
        assertThat(explain(second).position()).isEqualTo(3);
        assertThat(explain(second).ahead()).isEqualTo(2);
    }

    @Test
    void withoutAnObservationThereIsNoEta() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();

        assertThat(explain(sync(MODEL).waits()).eta()).isEmpty();
    }

    @Test
    void withoutAnObservationRetryAfterIsASecond() {
        open(limit(MODEL, 1));
        sync(MODEL).isAdmitted();

        assertThat(sync(MODEL).refused(Reason.CONCURRENCY_LIMIT_EXCEEDED).retryAfter())
                .isBetween(seconds(1), seconds(1).plusMillis(200));
    }

    @Test
    void etaAndRetryAfterFollowTheObservedDrainRateOfTheirScope() {
        open(Policies.NONE
                .with(MODEL, ScopePolicy.limit(1).queue(3))
                .with(OTHER_MODEL, ScopePolicy.limit(1).queue(3)));
        Claim fast = sync(MODEL).isAdmitted();
        Claim slow = sync(OTHER_MODEL).isAdmitted();
        for (int second = 1; second <= 120; second++) {
            timePasses(seconds(1));
            if (second % 2 == 0) {
                fast.release();
                fast = sync(MODEL).isAdmitted();
            }
            if (second % 20 == 0) {
                slow.release();
                slow = sync(OTHER_MODEL).isAdmitted();
            }
        }
        Claim fastWaiter = sync(MODEL).waits();
        Claim slowWaiter = sync(OTHER_MODEL).waits();
        many(2, () -> sync(MODEL)).forEach(Claim::waits);
        many(2, () -> sync(OTHER_MODEL)).forEach(Claim::waits);
        timePasses(seconds(1));

        assertThat(explain(fastWaiter).eta().orElseThrow()).isBetween(seconds(0), seconds(4));
        assertThat(explain(slowWaiter).eta().orElseThrow()).isBetween(seconds(10), seconds(40));
        assertThat(sync(MODEL).refused(Reason.QUEUE_FULL).retryAfter()).isBetween(seconds(1), seconds(12));
        assertThat(sync(OTHER_MODEL).refused(Reason.QUEUE_FULL).retryAfter()).isBetween(seconds(13), seconds(60));
    }

    @Test
    void theReasonNamesTheTypeOfTheScopeThatLacksRoom() {
        open(queued(MODEL, 1).with(GROUP, queued(1)));
        sync(GROUP).isAdmitted();

        Claim waiter = sync(MODEL, GROUP).waits(WaitReason.Kind.SCOPE);

        assertThat(waiter.view().reason().map(WaitReason::text)).hasValue("scope:user_group");
    }

    @Test
    void totalsCountEveryEnd() {
        open(Policies.NONE
                .with(MODEL, ScopePolicy.limit(1).queue(4).maxWait(seconds(10)))
                .with(GROUP, ScopePolicy.limit(1)));
        Claim running = sync(MODEL).isAdmitted();
        sync(GROUP).isAdmitted();
        sync(GROUP).refused(Reason.CONCURRENCY_LIMIT_EXCEEDED);
        sync(units(GROUP, 2)).refused(Reason.AMOUNT_UNSATISFIABLE);
        Claim next = sync(MODEL).waits();
        Claim cancelled = sync(MODEL).waits();
        Claim operated = sync(MODEL).waits();
        Claim timedOut = sync(MODEL).waits();
        sync(MODEL).refused(Reason.QUEUE_FULL);
        running.release();
        next.isAdmitted();
        await(admission.cancel(cancelled.task(), Eviction.CANCELLED));
        await(admission.cancel(operated.task(), Eviction.OPERATOR));
        silence(seconds(10));
        timedOut.evicted(Eviction.QUEUE_TIMEOUT);

        assertThat(admission.totals()).isEqualTo(new Totals(3, 1, 1, 1, 1, 1, 0, 1, 0));
    }

    @Test
    void anUnknownTaskIsNotExplained() {
        open(queued(MODEL, 1));

        assertThat(admission.explain(newTask())).isEmpty();
    }
}
