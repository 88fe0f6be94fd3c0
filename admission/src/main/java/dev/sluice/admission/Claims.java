package dev.sluice.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The unanswered claims of one process: who is told when a task's wait ends. Guarded by its engine's lock; it returns
 * what is to be told, so that nobody is called under the lock.
 */
public final class Claims {
    private final Map<UUID, Claim> open = new HashMap<>();

    /**
     * The turn that answers {@code decision}; registers a claim if the task waits, or holds only provisionally.
     *
     * @param deadline of the task's row
     */
    public Turn turn(Ask ask, Decision decision, long deadline) {
        return switch (decision) {
            case Admitted admitted -> {
                if (!admitted.provisional()) {
                    yield ended(admitted);
                }
                Claim outcome = claim(ask, deadline);
                yield new Turn(ask.task(), outcome.thenApply(Claims::asDecision), outcome);
            }
            case Rejected rejected -> ended(rejected);
            case Waiting waiting -> {
                yield new Turn(ask.task(), CompletableFuture.completedStage(waiting), claim(ask, deadline));
            }
        };
    }

    private Claim claim(Ask ask, long deadline) {
        return open.computeIfAbsent(ask.task(), any -> new Claim(waiter(ask), deadline));
    }

    private static Decision asDecision(Outcome outcome) {
        return switch (outcome) {
            case Admitted admitted -> admitted;
            case Rejected rejected -> rejected;
            case Evicted evicted ->
                throw new IllegalStateException("the grant of " + evicted.task() + " lapsed before it was confirmed");
        };
    }

    /** The turn of a task that runs at once. */
    public static Turn ended(Admitted admitted) {
        return ended(admitted.task(), CompletableFuture.completedStage(admitted));
    }

    /** The turn of a task that is refused. */
    public static Turn ended(Rejected rejected) {
        return ended(rejected.task(), CompletableFuture.completedStage(rejected));
    }

    /** One stage serves as both, since a stage only ever hands its value out. */
    @SuppressWarnings("unchecked")
    private static <T extends Decision & Outcome> Turn ended(UUID task, CompletionStage<T> answer) {
        return new Turn(task, (CompletionStage<Decision>) (CompletionStage<?>) answer, (CompletionStage<Outcome>)
                (CompletionStage<?>) answer);
    }

    /**
     * Ends the claims that {@code changes} answer. A provisional grant answers nothing yet: its confirmation does.
     */
    public List<Runnable> settle(List<Change> changes) {
        if (changes.isEmpty() || open.isEmpty()) {
            return List.of();
        }
        List<Runnable> told = new ArrayList<>(2);
        for (Change change : changes) {
            Row before = change.before();
            if (before != null && isOpenGrant(before)) {
                end(change.task(), before, change.after(), change.evicted(), told);
            }
        }
        return told;
    }

    /** Ends the claims whose tasks have moved on unseen, by what the ledger holds now. */
    public List<Runnable> reconcile(Function<UUID, Optional<Row>> ledger, long now) {
        List<Runnable> told = new ArrayList<>();
        for (UUID task : List.copyOf(open.keySet())) {
            Row row = ledger.apply(task).orElse(null);
            if (row != null) {
                end(task, row, row, null, told);
            } else {
                Claim claim = open.remove(task);
                if (claim != null) {
                    Eviction reason = claim.deadline <= now ? Eviction.QUEUE_TIMEOUT : Eviction.WAITER_LOST;
                    told.add(() -> claim.end(gone(task, reason)));
                }
            }
        }
        return told;
    }

    /**
     * Ends the claims whose deadline has passed, while nobody can decide.
     *
     * @param removed is told the task and its waiter: their removal is owed
     */
    public List<Runnable> timeOut(long now, BiConsumer<UUID, String> removed) {
        List<Runnable> told = new ArrayList<>();
        open.entrySet().removeIf(entry -> {
            Claim claim = entry.getValue();
            if (claim.deadline > now) {
                return false;
            }
            told.add(() -> claim.end(gone(entry.getKey(), Eviction.QUEUE_TIMEOUT)));
            removed.accept(entry.getKey(), claim.waiter);
            return true;
        });
        return told;
    }

    /** Ends one claim with an exception: whoever waits must learn why. */
    public List<Runnable> fail(UUID task, Throwable cause) {
        Claim claim = open.remove(task);
        return claim == null ? List.of() : List.of(() -> claim.fail(cause));
    }

    /** The value a claim is answered with for a row that holds its leases. */
    public static Admitted admitted(Row row) {
        return Intake.admitted(row, true);
    }

    /** Whether somebody here waits for the task under the waiter that {@code row} names. */
    public boolean isOpen(Row row) {
        Claim claim = open.get(row.task());
        return claim != null && claim.waiter.equals(waiter(row.ask()));
    }

    /** Whether anybody here waits for the task. */
    public boolean isOpen(UUID task) {
        return open.containsKey(task);
    }

    private static boolean isOpenGrant(Row row) {
        Grant grant = row.grant();
        return grant == null || grant.provisional();
    }

    private void end(UUID task, Row before, @Nullable Row after, @Nullable Evicted evicted, List<Runnable> told) {
        Claim claim = open.get(task);
        Outcome outcome = claim == null ? null : outcome(claim, before, after, evicted);
        if (claim != null && outcome != null) {
            open.remove(task);
            told.add(() -> claim.end(outcome));
        }
    }

    static @Nullable Outcome outcome(Claim claim, Row before, @Nullable Row after, @Nullable Evicted evicted) {
        if (after == null) {
            return evicted != null ? evicted : gone(before.task(), Eviction.CANCELLED);
        }
        if (!waiter(after.ask()).equals(claim.waiter)) {
            return gone(before.task(), Eviction.SUPERSEDED);
        }
        return isOpenGrant(after) ? null : Intake.admitted(after, true);
    }

    static Evicted gone(UUID task, Eviction reason) {
        return new Evicted(task, reason, Optional.empty(), Duration.ZERO, Duration.ofSeconds(1));
    }

    /** Ends every claim. */
    public List<Runnable> shutDown() {
        List<Runnable> told = new ArrayList<>();
        open.forEach((task, claim) -> told.add(() -> claim.end(gone(task, Eviction.SHUTTING_DOWN))));
        open.clear();
        return told;
    }

    /** Who waits for it; empty if nobody does. */
    public static String waiter(Ask ask) {
        return switch (ask.mode()) {
            case Mode.Sync sync -> sync.waiter();
            case Mode.Async any -> "";
        };
    }
}
