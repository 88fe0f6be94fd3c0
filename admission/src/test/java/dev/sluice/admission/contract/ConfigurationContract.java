package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Eviction;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.ScopePolicy;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** New policies apply to what runs and what waits, in one step. */
abstract class ConfigurationContract extends ContractGroup {
    ConfigurationContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    @Test
    void aRaisedLimitServesThoseWhoWaitInOrder() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        List<Claim> queue = many(4, () -> sync(MODEL));

        configure(queued(MODEL, 3));

        queue.subList(0, 2).forEach(Claim::isAdmitted);
        queue.subList(2, 4).forEach(Claim::waits);
    }

    @Test
    void aLiftedLimitServesAllWhoWait() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        List<Claim> queue = many(4, () -> sync(MODEL));

        configure(Policies.NONE);

        queue.forEach(Claim::isAdmitted);
        assertActive(MODEL, 5);
    }

    @Test
    void aLimitLoweredBelowWhatRunsAdmitsNobodyUntilItIsDrained() {
        open(queued(MODEL, 4));
        List<Claim> running = many(4, () -> sync(MODEL));
        Claim waiter = sync(MODEL).waits();

        configure(queued(MODEL, 2));
        running.get(0).release();
        running.get(1).release();
        waiter.waits();
        assertActive(MODEL, 2);
        running.get(2).release();

        waiter.isAdmitted();
        assertActive(MODEL, 2);
    }

    @Test
    void aScopeThatIsLimitedAgainStillCountsWhatRunsInIt() {
        open(queued(MODEL, 2));
        many(2, () -> sync(MODEL)).forEach(Claim::isAdmitted);
        configure(Policies.NONE);
        Claim third = sync(MODEL).isAdmitted();

        configure(queued(MODEL, 3));

        Claim waiter = sync(MODEL).waits();
        third.release();
        waiter.isAdmitted();
    }

    @Test
    void queuedTasksKeepTheirOrderThroughAReload() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim second = sync(MODEL).waits();
        Claim first = sync(10, MODEL).waits();

        configure(queued(MODEL, 1).with(GROUP, queued(7)));
        running.release();

        first.isAdmitted();
        second.waits();
    }

    @Test
    void aWaitingTaskWhoseAmountNoLongerFitsIsEvicted() {
        open(queued(MODEL, 5));
        sync(units(MODEL, 5)).isAdmitted();
        Claim large = sync(units(MODEL, 4)).waits();
        Claim small = sync(units(MODEL, 2)).waits();

        configure(queued(MODEL, 3));

        large.evicted(Eviction.AMOUNT_UNSATISFIABLE);
        small.waits();
    }

    @Test
    void theTasksOfARemovedRouteAreEvictedAndItsRunsEndCleanly() {
        open(route("chat", ProviderPolicy.of("gpu", 1)));
        Claim running = routed("chat").isAdmitted();
        Claim waiter = routed("chat").waits();

        configure(Policies.NONE.with(ProviderPolicy.of("gpu", 1)));

        waiter.evicted(Eviction.ROUTE_REMOVED);
        assertThat(provider("gpu").inFlight()).isEqualTo(1);
        running.release();
        assertThat(provider("gpu").inFlight()).isZero();
        assertActive(MODEL, 0);
    }

    @Test
    void aRouteThatMovesToAnotherPlatformTakesItsWaitersAlong() {
        open(route("chat", ProviderPolicy.of("a", 1)));
        routed("chat").isAdmitted();
        Claim waiter = routed("chat").waits();

        configure(route("chat", ProviderPolicy.of("a", 1))
                .with(ProviderPolicy.of("b", 1))
                .with(RoutePolicy.of("chat", OTHER_MODEL, List.of("b"))));

        assertThat(waiter.provider()).isEqualTo("b");
        assertActive(OTHER_MODEL, 1);
        assertActive(MODEL, 1);
    }

    @Test
    void aTaskThatRunsInAnOldPlatformModelFreesThatOne() {
        open(route("chat", ProviderPolicy.of("a", 1)));
        Claim running = routed("chat").isAdmitted();
        configure(
                Policies.NONE.with(ProviderPolicy.of("a", 1)).with(RoutePolicy.of("chat", OTHER_MODEL, List.of("a"))));

        Claim waiter = routed("chat").waits();
        running.release();

        waiter.isAdmitted();
        assertActive(MODEL, 0);
        assertActive(OTHER_MODEL, 1);
    }

    @Test
    void theSamePoliciesAgainChangeNothing() {
        Policies policies = route("chat", ProviderPolicy.of("gpu", 1)).with(GROUP, queued(3));
        open(policies);
        Claim running = routed("chat", GROUP).isAdmitted();
        Claim waiter = routed("chat", GROUP).waits();
        var before = snapshot();

        configure(policies);

        assertThat(snapshot()).isEqualTo(before);
        running.release();
        waiter.isAdmitted();
    }

    @Test
    void aNewBoundOfOvertakesAppliesToThoseWhoWait() {
        open(queued(MODEL, 4));
        Claim running = sync(units(MODEL, 3)).isAdmitted();
        Claim large = sync(units(MODEL, 4)).waits();
        Claim small = sync(MODEL).isAdmitted();
        assertThat(large.view().overtakes()).isEqualTo(1);

        configure(queued(MODEL, 4).with(QueueingPolicy.DEFAULT.maxOvertakes(1)));
        small.release();
        sync(MODEL).waits();
        running.release();

        large.isAdmitted();
    }

    @Test
    void policiesOfAScopeWithoutTasksAreShown() {
        open(Policies.NONE);
        configure(Policies.NONE.with(GROUP, ScopePolicy.limit(3).queue(4)));

        var view = snapshot().scope(GROUP).orElseThrow();

        assertThat(view.limit()).isEqualTo(3_000);
        assertThat(view.queueLimit()).isEqualTo(4);
        assertThat(view.active()).isZero();
    }
}
