package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Admitted;
import dev.sluice.admission.Amount;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.Turn;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The words in which the groups of the contract are written. */
abstract class ContractGroup {
    static final Scope MODEL = Scope.platformModel("on-prem", "large");
    static final Scope OTHER_MODEL = Scope.platformModel("cloud", "small");
    static final Scope GROUP = Scope.userGroup("research");
    static final Scope OTHER_GROUP = Scope.userGroup("sales");
    static final Scope WORKER = Scope.workerCapacity();

    static final int NORMAL = 100;
    static final String HOLDER = "gateway-1";

    /** Shorter than the waiter lease of 15 s, so that a living holder never loses a waiter between two heartbeats. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private static final AtomicLong TASKS = new AtomicLong();

    private final Supplier<AdmissionFixture> fixtures;
    private final List<Claim> claims = new ArrayList<>();
    AdmissionFixture fixture;
    Admission admission;

    ContractGroup(Supplier<AdmissionFixture> fixtures) {
        this.fixtures = fixtures;
    }

    @BeforeEach
    void makeFixture() {
        fixture = fixtures.get();
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    final void open(Policies policies) {
        admission = fixture.open(policies);
    }

    final void configure(Policies policies) {
        await(admission.configure(policies));
    }

    static Policies limit(Scope scope, int units) {
        return Policies.NONE.with(scope, ScopePolicy.limit(units));
    }

    /** A limit with a queue that is long enough for the test. */
    static Policies queued(Scope scope, int units) {
        return Policies.NONE.with(scope, queued(units));
    }

    static ScopePolicy queued(int units) {
        return ScopePolicy.limit(units).queue(100_000);
    }

    /** One route over the providers of {@link #MODEL}, which has no limit of its own. */
    static Policies route(String id, ProviderPolicy... providers) {
        return Policies.NONE
                .with(providers)
                .with(RoutePolicy.of(
                        id,
                        MODEL,
                        Arrays.stream(providers).map(ProviderPolicy::id).toList()));
    }

    static Demand units(Scope scope, int units) {
        return new Demand(scope, Amount.units(units));
    }

    static Demand part(Scope scope, String decimal) {
        return new Demand(scope, Amount.of(new BigDecimal(decimal)));
    }

    static List<Demand> one(Scope... scopes) {
        return Arrays.stream(scopes).map(Demand::one).toList();
    }

    static UUID newTask() {
        return new UUID(0x7000L, 0x8000_0000_0000_0000L | TASKS.incrementAndGet());
    }

    final Ask ask(int priority, List<Demand> demands) {
        UUID task = newTask();
        return Ask.sync(task, "waiter-" + task.getLeastSignificantBits(), HOLDER, priority, demands);
    }

    final Ask ask(Scope... scopes) {
        return ask(NORMAL, one(scopes));
    }

    final Ask ask(Routing routing, Scope... scopes) {
        UUID task = newTask();
        Mode mode = new Mode.Sync("waiter-" + task.getLeastSignificantBits(), HOLDER);
        return new Ask(task, mode, NORMAL, one(scopes), Optional.of(routing), MaxWait.INHERIT, "");
    }

    static Ask prioritised(Ask ask, int priority) {
        return new Ask(ask.task(), ask.mode(), priority, ask.demands(), ask.routing(), ask.maxWait(), ask.label());
    }

    /** The same task asked for by another connection, here of another process. */
    static Ask by(String waiter, String holder, Ask ask) {
        return new Ask(
                ask.task(),
                new Mode.Sync(waiter, holder),
                ask.priority(),
                ask.demands(),
                ask.routing(),
                ask.maxWait(),
                ask.label());
    }

    /** The same task with other needs. */
    static Ask instead(Ask ask, List<Demand> demands) {
        return new Ask(ask.task(), ask.mode(), ask.priority(), demands, ask.routing(), ask.maxWait(), ask.label());
    }

    final Claim submit(Ask ask) {
        return claim(ask, admission.submit(ask));
    }

    final Claim claim(Ask ask, Turn turn) {
        Claim claim = new Claim(ask, turn, admission, fixture);
        claims.add(claim);
        // What comes next, the clock included, comes after this was decided.
        fixture.settle();
        return claim;
    }

    final Claim sync(Scope... scopes) {
        return submit(ask(scopes));
    }

    final Claim sync(Demand... demands) {
        return submit(ask(NORMAL, List.of(demands)));
    }

    final Claim sync(int priority, Scope... scopes) {
        return submit(ask(priority, one(scopes)));
    }

    final Claim routed(String route, Scope... scopes) {
        return submit(ask(Routing.to(route), scopes));
    }

    final Claim longContext(String route, Scope... scopes) {
        return submit(ask(new Routing(route, Amount.ONE, true), scopes));
    }

    final Claim async(Scope... scopes) {
        return submit(Ask.async(newTask(), NORMAL, one(scopes)));
    }

    final Claim async(Demand... demands) {
        return submit(Ask.async(newTask(), NORMAL, List.of(demands)));
    }

    final List<Claim> many(int count, Supplier<Claim> source) {
        List<Claim> made = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            made.add(source.get());
        }
        return made;
    }

    final <T> T await(CompletionStage<T> stage) {
        return Claim.await(stage, fixture, "answer");
    }

    final Snapshot snapshot() {
        fixture.settle();
        return admission.snapshot();
    }

    /** What is held in a scope, in thousandths. */
    final long active(Scope scope) {
        return snapshot().scope(scope).map(Snapshot.ScopeView::active).orElse(0L);
    }

    final int waiting(Scope scope) {
        return snapshot().scope(scope).map(Snapshot.ScopeView::waiting).orElse(0);
    }

    final void assertActive(Scope scope, int units) {
        assertThat(active(scope)).as("active in %s", scope).isEqualTo(Amount.units(units));
    }

    final Snapshot.ProviderView provider(String id) {
        return snapshot().provider(id).orElseThrow(() -> new AssertionError("no provider " + id));
    }

    /** Time in which the holder sends its heartbeats and renews what its tasks hold. */
    final void timePasses(Duration time) {
        Duration left = time;
        while (left.isPositive()) {
            Duration step = left.compareTo(HEARTBEAT) < 0 ? left : HEARTBEAT;
            fixture.elapse(step);
            await(admission.renewHolder(HOLDER));
            for (Claim claim : claims) {
                if (claim.turn().outcome().toCompletableFuture().getNow(null) instanceof Admitted admitted) {
                    await(admission.renew(admitted.task(), admitted.epoch()));
                }
            }
            fixture.tick();
            left = left.minus(step);
        }
        fixture.settle();
    }

    /** Time in which nobody renews anything. */
    final void silence(Duration time) {
        fixture.advance(time);
    }

    static Duration seconds(long count) {
        return Duration.ofSeconds(count);
    }
}
