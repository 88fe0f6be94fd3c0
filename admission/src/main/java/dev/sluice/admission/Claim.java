package dev.sluice.admission;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An unanswered claim on a task, and at once the stage that its owner waits on. Only the engine ends it: whoever holds
 * the stage gets a copy when asking for something to complete.
 */
final class Claim extends CompletableFuture<Outcome> {
    final String waiter;

    /** As known when the claim was made; what ends it while nobody can decide. */
    final long deadline;

    private @Nullable Outcome decided;

    Claim(String waiter, long deadline) {
        this.waiter = waiter;
        this.deadline = deadline;
    }

    /** Notes the outcome; {@link #tell} hands it out when no lock is held. */
    void decide(Outcome outcome) {
        decided = outcome;
    }

    void tell() {
        end(Objects.requireNonNull(decided, "nothing decided"));
    }

    void end(Outcome outcome) {
        super.complete(outcome);
    }

    void fail(Throwable cause) {
        super.completeExceptionally(cause);
    }

    @Override
    public CompletableFuture<Outcome> toCompletableFuture() {
        return copy();
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    @Override
    public boolean complete(Outcome outcome) {
        throw new UnsupportedOperationException("only the engine ends a claim");
    }

    @Override
    public boolean completeExceptionally(Throwable cause) {
        throw new UnsupportedOperationException("only the engine ends a claim");
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        throw new UnsupportedOperationException("a claim is cancelled at its engine");
    }
}
