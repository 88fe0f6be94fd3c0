package dev.sluice.admission;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a task asks of the ledger.
 *
 * @param task unique for ever; {@link TaskIds#next} makes one
 * @param priority a lower number runs sooner
 * @param demands scopes needed beside those of the route; normalised: sorted, duplicates dropped
 * @param routing the route whose providers may serve it; empty for a task that only needs {@code demands}
 * @param maxWait what the request says about waiting
 * @param label carried and shown, never ordered by (the first seed's queue key); may be empty
 */
public record Ask(
        UUID task,
        Mode mode,
        int priority,
        List<Demand> demands,
        Optional<Routing> routing,
        MaxWait maxWait,
        String label) {
    public Ask {
        demands = Demand.normalised(demands);
        if (demands.isEmpty() && routing.isEmpty()) {
            throw new IllegalArgumentException("a task must ask for at least one scope or a route");
        }
    }

    /**
     * A task that a process waits for.
     *
     * @param waiter who waits: another one that asks for the same task takes it over
     * @param holder the process, whose heartbeat keeps the place ({@link Admission#renewHolder})
     */
    public static Ask sync(UUID task, String waiter, String holder, int priority, List<Demand> demands) {
        return new Ask(task, new Mode.Sync(waiter, holder), priority, demands, Optional.empty(), MaxWait.INHERIT, "");
    }

    /** A task that nobody waits for: it is durable where the engine is. */
    public static Ask async(UUID task, int priority, List<Demand> demands) {
        return new Ask(task, Mode.ASYNC, priority, demands, Optional.empty(), MaxWait.INHERIT, "");
    }

    /** The same, for a slot on a provider of a route too. */
    public Ask on(Routing chosen) {
        return new Ask(task, mode, priority, demands, Optional.of(chosen), maxWait, label);
    }

    /** The same, with what the request says about waiting. */
    public Ask within(MaxWait bound) {
        return new Ask(task, mode, priority, demands, routing, bound, label);
    }

    /** The same, with a text that is carried and shown; may be empty. */
    public Ask labelled(String text) {
        return new Ask(task, mode, priority, demands, routing, maxWait, text);
    }

    /** Whether somebody waits for it. */
    public boolean isSync() {
        return mode instanceof Mode.Sync;
    }
}
