package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Explanation;
import dev.sluice.admission.Lease;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.admission.WaitReason.Kind;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rule 2 with slots reserved for one kind of task: the other never takes them, and whom that keeps out delays nobody. */
abstract class ReserveContract extends ContractGroup {
    ReserveContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private static Policies reserving(int capacity, int sync, int async) {
        return route("chat", ProviderPolicy.of("gpu", capacity).reserving(sync, async));
    }

    private Claim background(Scope... scopes) {
        return submit(new Ask(
                newTask(), Mode.ASYNC, NORMAL, one(scopes), Optional.of(Routing.to("chat")), MaxWait.INHERIT, ""));
    }

    @Test
    void asynchronousTasksLeaveWhatIsReservedForSynchronousOnes() {
        open(reserving(4, 2, 0));

        List<Claim> running = many(2, this::background);
        Claim blocked = background();

        blocked.waits(Kind.CAPACITY_RESERVED);
        assertThat(running.getFirst().admitted().leases()).contains(new Lease(Scope.providerAsync("gpu"), Amount.ONE));
        many(2, () -> routed("chat")).forEach(Claim::isAdmitted);
        routed("chat").waits(Kind.CAPACITY_FULL);
        assertActive(Scope.providerAsync("gpu"), 2);
        assertActive(Scope.provider("gpu"), 4);
    }

    @Test
    void synchronousTasksLeaveWhatIsReservedForAsynchronousOnes() {
        open(reserving(4, 0, 1));

        List<Claim> running = many(3, () -> routed("chat"));
        Claim blocked = routed("chat");

        blocked.waits(Kind.CAPACITY_RESERVED);
        assertThat(running.getFirst().admitted().leases()).contains(new Lease(Scope.providerSync("gpu"), Amount.ONE));
        background().isAdmitted();
    }

    @Test
    void whatIsNotReservedGoesToWhoeverComesFirst() {
        open(reserving(4, 1, 1));

        many(3, this::background).forEach(Claim::isAdmitted);
        background().waits(Kind.CAPACITY_RESERVED);
        routed("chat").isAdmitted();
        routed("chat").waits(Kind.CAPACITY_FULL);
    }

    @Test
    void aProviderThatReservesNothingCountsNoShares() {
        open(route("chat", ProviderPolicy.of("gpu", 2)));

        Claim running = background().isAdmitted();

        assertThat(running.admitted().leases()).doesNotContain(new Lease(Scope.providerAsync("gpu"), Amount.ONE));
        assertThat(snapshot().scope(Scope.providerAsync("gpu"))).isEmpty();
    }

    @Test
    void aReservedSlotThatIsFreedServesItsOwnKindThoughTheOtherCameFirst() {
        open(reserving(3, 1, 0));
        many(2, this::background).forEach(Claim::isAdmitted);
        Claim interactive = routed("chat").isAdmitted();
        Claim blocked = background().waits();
        Claim next = routed("chat").waits();

        interactive.release();

        next.isAdmitted();
        blocked.waits(Kind.CAPACITY_RESERVED);
    }

    @Test
    void aSlotThatIsFreedByItsOwnKindServesTheFirstInLine() {
        open(reserving(3, 1, 0));
        List<Claim> running = many(2, this::background);
        routed("chat").isAdmitted();
        Claim first = background().waits();
        Claim second = routed("chat").waits();
        Claim third = background().waits();

        running.getFirst().release();
        first.isAdmitted();
        second.waits();
        running.getLast().release();

        second.isAdmitted();
        third.waits();
    }

    @Test
    void eachKindKeepsItsOwnOrder() {
        open(reserving(2, 1, 1).with(GROUP, queued(10)));
        Claim interactive = routed("chat", GROUP).isAdmitted();
        Claim background = background(GROUP).isAdmitted();
        List<Claim> earlier =
                List.of(background(GROUP).waits(), routed("chat", GROUP).waits());
        List<Claim> later = List.of(background().waits(), routed("chat").waits());

        interactive.release();
        background.release();

        earlier.forEach(Claim::isAdmitted);
        later.forEach(Claim::waits);
        earlier.forEach(Claim::release);
        later.forEach(Claim::isAdmitted);
    }

    @Test
    void whoMayNotTakeAReservedSlotSetsNothingAsideAndIsNotOvertaken() {
        open(reserving(3, 2, 0).with(GROUP, queued(3)).with(overtakes(1)));
        background(GROUP).isAdmitted();
        Claim blocked = background(GROUP).waits(Kind.CAPACITY_RESERVED);

        for (int i = 0; i < 5; i++) {
            List<Claim> both = many(2, () -> routed("chat", GROUP));
            both.forEach(Claim::isAdmitted);
            both.forEach(Claim::release);
        }

        assertThat(blocked.view().overtakes()).isZero();
        blocked.waits();
    }

    @Test
    void synchronousTasksThatAreKeptOutDelayNoAsynchronousOne() {
        open(reserving(2, 0, 1).with(overtakes(1)));
        routed("chat").isAdmitted();
        Claim blocked = routed("chat").waits(Kind.CAPACITY_RESERVED);

        for (int i = 0; i < 5; i++) {
            background().isAdmitted().release();
        }

        blocked.waits();
    }

    @Test
    void aReserveThatIsTakenUpCountsWhatRunsAlready() {
        open(reserving(4, 0, 0));
        List<Claim> running = many(4, this::background);
        running.forEach(Claim::isAdmitted);

        configure(reserving(4, 2, 0));
        assertActive(Scope.providerAsync("gpu"), 4);
        running.getFirst().release();
        background().waits(Kind.CAPACITY_RESERVED);
        routed("chat").isAdmitted();
        running.get(1).release();
        running.get(2).release();

        assertActive(Scope.providerAsync("gpu"), 2);
        assertThat(provider("gpu").inFlight()).isEqualTo(3);
    }

    @Test
    void aReserveThatIsGivenUpServesThoseWhoWait() {
        open(reserving(4, 3, 0));
        Claim running = background().isAdmitted();
        List<Claim> waiting = many(3, this::background);
        waiting.forEach(Claim::waits);

        configure(reserving(4, 2, 0));
        waiting.getFirst().isAdmitted();
        waiting.get(1).waits();
        configure(reserving(4, 0, 0));
        waiting.forEach(Claim::isAdmitted);

        running.release();
        waiting.forEach(Claim::release);
        assertActive(Scope.providerAsync("gpu"), 0);
        assertThat(provider("gpu").inFlight()).isZero();
    }

    @Test
    void aRaisedCapacityIsNotReserved() {
        open(reserving(2, 1, 0));
        background().isAdmitted();
        Claim waiter = background().waits();

        configure(reserving(3, 1, 0));

        waiter.isAdmitted();
        background().waits(Kind.CAPACITY_RESERVED);
    }

    @Test
    void aShareIsFreedWhenALeaseExpires() {
        open(reserving(2, 0, 1));
        routed("chat").isAdmitted();
        routed("chat").waits(Kind.CAPACITY_RESERVED);

        silence(seconds(120));

        assertActive(Scope.providerSync("gpu"), 0);
        routed("chat").isAdmitted();
    }

    @Test
    void asynchronousTasksGoWhereNothingIsReserved() {
        open(route("chat", ProviderPolicy.of("a", 2).reserving(1, 0), ProviderPolicy.of("b", 2)));

        List<Claim> running = many(3, this::background);

        assertThat(running.stream().map(Claim::provider)).containsExactlyInAnyOrder("a", "b", "b");
        Claim waiter = background().waits(Kind.CAPACITY_RESERVED);
        running.stream()
                .filter(claim -> claim.provider().equals("b"))
                .findFirst()
                .orElseThrow()
                .release();
        assertThat(waiter.isAdmitted().provider()).isEqualTo("b");
    }

    @Test
    void aProviderThatComesBackKeepsItsReserve() {
        open(reserving(3, 2, 0));
        await(admission.providerUp("gpu", false));
        List<Claim> waiting = many(2, this::background);
        waiting.forEach(claim -> claim.waits(Kind.NO_LIVE_PROVIDER));

        await(admission.providerUp("gpu", true));

        waiting.getFirst().isAdmitted();
        waiting.getLast().waits(Kind.CAPACITY_RESERVED);
        routed("chat").isAdmitted();
    }

    @Test
    void anExplanationNamesTheShare() {
        open(reserving(2, 1, 0));
        Claim running = background().isAdmitted();
        Claim waiter = background().waits();

        Explanation explanation = admission.explain(waiter.task()).orElseThrow();

        assertThat(explanation.blockedBy())
                .containsExactly(new Explanation.Blocker(
                        Scope.providerAsync("gpu"), Amount.ONE, Amount.ONE, List.of(running.task())));
        assertThat(snapshot().scope(Scope.providerAsync("gpu")).orElseThrow().limit())
                .isEqualTo(Amount.ONE);
    }

    private static QueueingPolicy overtakes(int most) {
        return QueueingPolicy.DEFAULT.maxOvertakes(most);
    }
}
