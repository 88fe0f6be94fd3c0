package dev.sluice.postgres;

import dev.sluice.admission.Ledger;
import dev.sluice.admission.ProviderState;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One thing to decide. It may be decided several times before one decision is committed; only that one is answered.
 *
 * @param <T> the answer
 */
final class Op<T> {
    /** A decision on the ledger at an instant; it must be repeatable. */
    @FunctionalInterface
    interface Decide<T> {
        T on(Ledger ledger, long now);
    }

    /** What happens to an operation while the database is away. */
    enum WhenAway {
        /** It is answered with the outage; {@link Op#undo} is owed if it may have been committed. */
        FAIL,
        /** It is kept and done when the database is back. */
        KEEP
    }

    final WhenAway whenAway;
    private final Decide<T> decide;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private @Nullable T tentative;
    private @Nullable Commit<T> commit;

    /** Run in the transaction of the batch; null for none. */
    final @Nullable Hook<T> hook;

    /** Whether the hook may share its batch, and be run again when that was rolled back for another's sake. */
    private boolean shares;

    /** What takes the operation back if it failed and may still have been committed; null for nothing. */
    final @Nullable Op<?> undo;

    /** What an operator decides about providers by it; the hook writes it, the journal tells it. */
    final Map<String, ProviderState> operated;

    /** How often a batch with it failed by no outage; touched by the writer's thread alone. */
    int failures;

    Op(WhenAway whenAway, Decide<T> decide, @Nullable Hook<T> hook, @Nullable Op<?> undo) {
        this(whenAway, decide, hook, undo, Map.of());
    }

    Op(
            WhenAway whenAway,
            Decide<T> decide,
            @Nullable Hook<T> hook,
            @Nullable Op<?> undo,
            Map<String, ProviderState> operated) {
        this.operated = operated;
        this.whenAway = whenAway;
        this.decide = decide;
        this.hook = hook;
        this.undo = undo;
    }

    /** Code of an embedding service that joins the batch's transaction. */
    @FunctionalInterface
    interface Hook<T> {
        void run(Connection connection, T tentative) throws Exception;
    }

    /** What must be noted under the mirror's lock when the decision is committed; returns what is then to be told. */
    @FunctionalInterface
    interface Commit<T> {
        Runnable on(T decided);
    }

    void onCommit(Commit<T> note) {
        commit = note;
    }

    Runnable committed() {
        T decided = tentative;
        Runnable noted = commit == null || decided == null ? () -> {} : commit.on(decided);
        return () -> {
            noted.run();
            answer.complete(decided);
        };
    }

    static <T> Op<T> failing(Decide<T> decide) {
        return new Op<>(WhenAway.FAIL, decide, null, null);
    }

    static <T> Op<T> kept(Decide<T> decide) {
        return new Op<>(WhenAway.KEEP, decide, null, null);
    }

    /** An embedding service's hook that runs if the decision is what it waits for. */
    record When<T>(Predicate<T> applies, QueuedHook work) implements Hook<T> {
        @Override
        public void run(Connection connection, T tentative) throws Exception {
            if (applies.test(tentative)) {
                work.run(connection);
            }
        }
    }

    /** Whether it needs a batch of its own: its hook may fail, or it failed before and nobody else shall suffer. */
    boolean isAlone() {
        return (hook != null && !shares) || failures > 0;
    }

    /** Whether its hook must be run by itself: it is there, and no row of a call that others share. */
    private boolean hasOwnHook() {
        return hook != null && !(hook instanceof When<?> when && when.work() instanceof RowHook<?>);
    }

    /** The row by which it takes part in a call of its batch, if it was decided as its hook waits for. */
    Optional<RowHook<?>> row() {
        T decided = tentative;
        return hook instanceof When<T> when
                        && when.work() instanceof RowHook<?> row
                        && decided != null
                        && when.applies().test(decided)
                ? Optional.of(row)
                : Optional.empty();
    }

    static boolean anyOwnHook(List<Op<?>> ops) {
        for (Op<?> op : ops) {
            if (op.hasOwnHook()) {
                return true;
            }
        }
        return false;
    }

    Op<T> sharingIf(boolean repeatable) {
        shares = repeatable;
        return this;
    }

    void decide(Ledger ledger, long now) {
        tentative = decide.on(ledger, now);
    }

    /** @param rows whether also a hook that is a row of a call runs by itself */
    void runHook(Connection connection, boolean rows) throws Exception {
        T decided = tentative;
        if (hook != null && decided != null && (rows || hasOwnHook())) {
            hook.run(connection, decided);
        }
    }

    void fail(Throwable cause) {
        answer.completeExceptionally(cause);
    }

    CompletionStage<T> answerLater() {
        return answer;
    }
}
