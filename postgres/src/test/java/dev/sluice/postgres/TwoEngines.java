package dev.sluice.postgres;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Explanation;
import dev.sluice.admission.Held;
import dev.sluice.admission.Place;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.TaskFilter;
import dev.sluice.admission.TaskView;
import dev.sluice.admission.Totals;
import dev.sluice.admission.Turn;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Two engines that look like one: each operation goes to either, by chance. What each process must be told itself,
 * policies, connections and heartbeats, goes to both.
 */
final class TwoEngines implements Admission {
    private final Random random = new Random(7);
    private final PostgresAdmission one;
    private final PostgresAdmission two;

    TwoEngines(PostgresAdmission one, PostgresAdmission two) {
        this.one = one;
        this.two = two;
    }

    private PostgresAdmission any() {
        return random.nextBoolean() ? one : two;
    }

    private static <T> CompletionStage<T> both(CompletionStage<T> first, CompletionStage<T> second) {
        return first.thenCombine(second, (told, same) -> told);
    }

    @Override
    public Turn submit(Ask ask) {
        return any().submit(ask);
    }

    @Override
    public CompletionStage<Boolean> confirm(UUID task, long epoch) {
        return any().confirm(task, epoch);
    }

    @Override
    public CompletionStage<Boolean> release(UUID task, long epoch) {
        return any().release(task, epoch);
    }

    @Override
    public CompletionStage<Boolean> renew(UUID task, long epoch) {
        return any().renew(task, epoch);
    }

    @Override
    public Duration leaseLeft(UUID task, long epoch) {
        return any().leaseLeft(task, epoch);
    }

    @Override
    public CompletionStage<List<Held>> renew(Collection<Held> held) {
        return any().renew(held);
    }

    @Override
    public CompletionStage<Boolean> renewWaiter(UUID task, String waiter) {
        return any().renewWaiter(task, waiter);
    }

    @Override
    public CompletionStage<Boolean> renewHolder(String holder) {
        return both(one.renewHolder(holder), two.renewHolder(holder));
    }

    @Override
    public CompletionStage<Boolean> detach(UUID task, String waiter) {
        return any().detach(task, waiter);
    }

    @Override
    public CompletionStage<Optional<Decision>> rebind(Ask ask) {
        return any().rebind(ask);
    }

    @Override
    public Turn failOver(Ask ask, long epoch) {
        return any().failOver(ask, epoch);
    }

    @Override
    public CompletionStage<Boolean> cancel(UUID task, Eviction reason) {
        return any().cancel(task, reason);
    }

    @Override
    public CompletionStage<Boolean> evict(UUID task, Eviction reason) {
        return any().evict(task, reason);
    }

    @Override
    public CompletionStage<Boolean> handBack(UUID task, long epoch) {
        return any().handBack(task, epoch);
    }

    @Override
    public CompletionStage<Boolean> changePriority(UUID task, int priority) {
        return any().changePriority(task, priority);
    }

    @Override
    public CompletionStage<Boolean> configure(Policies policies) {
        return both(one.configure(policies), two.configure(policies));
    }

    @Override
    public CompletionStage<Boolean> providerUp(String provider, boolean up) {
        return both(one.providerUp(provider, up), two.providerUp(provider, up));
    }

    /** The journal tells the other. */
    @Override
    public CompletionStage<Boolean> operate(String provider, ProviderState state) {
        return any().operate(provider, state);
    }

    @Override
    public Snapshot snapshot() {
        return any().snapshot();
    }

    @Override
    public Optional<Explanation> explain(UUID task) {
        return any().explain(task);
    }

    @Override
    public Optional<Place> place(UUID task) {
        return any().place(task);
    }

    @Override
    public List<TaskView> list(TaskFilter filter) {
        return any().list(filter);
    }

    @Override
    public Totals totals() {
        return one.totals();
    }

    @Override
    public void close() {
        one.close();
        two.close();
    }
}
