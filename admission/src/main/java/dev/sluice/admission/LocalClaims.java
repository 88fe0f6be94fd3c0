package dev.sluice.admission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The unanswered claims of an engine that lives in one process. Each hangs on the node of its task, so that telling how
 * a wait ended looks nothing up. Guarded by the engine's lock; what it decides is told after the lock is let go.
 */
final class LocalClaims implements Witness {
    private static final int USUAL = 2;

    private List<Claim> ended = new ArrayList<>(USUAL);

    /** The turn that answers {@code decision}; a task that waits gets a claim, if it has none. Every grant here is firm. */
    Turn turn(Decision decision, @Nullable Node node) {
        return switch (decision) {
            case Admitted admitted -> Claims.ended(admitted);
            case Rejected rejected -> Claims.ended(rejected);
            case Waiting waiting -> {
                if (node == null) {
                    throw new IllegalStateException("task " + waiting.task() + " waits nowhere");
                }
                CompletionStage<Decision> first = CompletableFuture.completedStage(waiting);
                yield new Turn(waiting.task(), first, claim(node));
            }
        };
    }

    private static Claim claim(Node node) {
        Claim claim = node.claim;
        if (claim == null) {
            claim = new Claim(Claims.waiter(node.row.ask()), node.row.deadline());
            node.claim = claim;
        }
        return claim;
    }

    @Override
    public void saw(
            Node node, @Nullable Row before, @Nullable Row after, Change.Cause cause, @Nullable Evicted evicted) {
        Claim claim = node.claim;
        if (claim == null || before == null) {
            return;
        }
        Outcome outcome;
        if (after != null && after.ask().equals(before.ask())) {
            // The same waiter, which need not be looked at.
            outcome = after.waits() ? null : Intake.admitted(node, true);
        } else {
            outcome = Claims.outcome(claim, before, after, evicted);
        }
        if (outcome != null) {
            end(node, claim, outcome);
        }
    }

    private void end(Node node, Claim claim, Outcome outcome) {
        node.claim = null;
        claim.decide(outcome);
        ended.add(claim);
    }

    /** Those that have ended since the last call, in order: their owners are to be told. */
    List<Claim> takeEnded() {
        if (ended.isEmpty()) {
            return List.of();
        }
        List<Claim> taken = ended;
        ended = new ArrayList<>(USUAL);
        return taken;
    }

    /** Ends every claim. */
    void shutDown(Collection<Node> nodes) {
        for (Node node : nodes) {
            Claim claim = node.claim;
            if (claim != null) {
                end(node, claim, Claims.gone(node.task, Eviction.SHUTTING_DOWN));
            }
        }
    }
}
