package dev.sluice.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The unanswered claims of one process: who is told when a task's wait ends. Guarded by its engine's lock; it returns
 * what is to be told, so that nobody is called under the lock.
 */
public final class Claims {
    private final Map<UUID, Claim> open = new HashMap<>();

    private record Claim(String waiter, CompletableFuture<Outcome> outcome) {}

    /** The turn that answers {@code decision}; registers a claim if the task waits. */
    public Turn turn(Ask ask, Decision decision) {
        return switch (decision) {
            case Admitted admitted -> ended(admitted);
            case Rejected rejected -> ended(rejected);
            case Waiting waiting -> {
                Claim claim =
                        open.computeIfAbsent(ask.task(), any -> new Claim(waiter(ask), new CompletableFuture<>()));
                yield new Turn(
                        ask.task(),
                        CompletableFuture.completedStage(waiting),
                        claim.outcome().copy());
            }
        };
    }

    public static Turn ended(Admitted admitted) {
        return new Turn(
                admitted.task(),
                CompletableFuture.completedStage(admitted),
                CompletableFuture.completedStage(admitted));
    }

    public static Turn ended(Rejected rejected) {
        return new Turn(
                rejected.task(),
                CompletableFuture.completedStage(rejected),
                CompletableFuture.completedStage(rejected));
    }

    /** Ends the claims that {@code changes} answer. */
    public List<Runnable> settle(List<Change> changes) {
        if (changes.isEmpty() || open.isEmpty()) {
            return List.of();
        }
        List<Runnable> told = new ArrayList<>();
        for (Change change : changes) {
            Row before = change.before();
            if (before != null && before.waits()) {
                Claim claim = open.get(change.task());
                Outcome outcome = claim == null ? null : outcome(change, before, claim);
                if (claim != null && outcome != null) {
                    open.remove(change.task());
                    told.add(() -> claim.outcome().complete(outcome));
                }
            }
        }
        return told;
    }

    private static @Nullable Outcome outcome(Change change, Row before, Claim claim) {
        Row after = change.after();
        if (after == null) {
            Evicted evicted = change.evicted();
            return evicted != null ? evicted : gone(before, Eviction.CANCELLED);
        }
        if (!waiter(after.ask()).equals(claim.waiter())) {
            return gone(before, Eviction.SUPERSEDED);
        }
        return after.waits() ? null : Intake.admitted(after, true);
    }

    private static Evicted gone(Row row, Eviction reason) {
        return new Evicted(row.task(), reason, Optional.empty(), Duration.ZERO, Duration.ofSeconds(1));
    }

    /** Ends every claim. */
    public List<Runnable> shutDown() {
        List<Runnable> told = new ArrayList<>();
        open.forEach((task, claim) -> told.add(() -> claim.outcome()
                .complete(new Evicted(
                        task, Eviction.SHUTTING_DOWN, Optional.empty(), Duration.ZERO, Duration.ofSeconds(1)))));
        open.clear();
        return told;
    }

    private static String waiter(Ask ask) {
        return switch (ask.mode()) {
            case Mode.Sync sync -> sync.waiter();
            case Mode.Async any -> "";
        };
    }
}
