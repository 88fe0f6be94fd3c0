package dev.sluice.admission;

import java.time.Duration;

/** What a request says about its own waiting: nothing, "do not queue", or a bound that can only shorten the rule's. */
public sealed interface MaxWait {
    /** The bound of the scopes' policies applies. */
    record Inherit() implements MaxWait {}

    /** Run now or be refused. */
    record DoNotQueue() implements MaxWait {}

    /** At most this long, more than zero. */
    record AtMost(Duration bound) implements MaxWait {
        public AtMost {
            if (!bound.isPositive()) {
                throw new IllegalArgumentException("a bound must be more than zero; use DoNotQueue for zero");
            }
        }
    }

    MaxWait INHERIT = new Inherit();
    MaxWait DO_NOT_QUEUE = new DoNotQueue();

    /** Zero means {@link DoNotQueue}. */
    static MaxWait atMost(Duration wait) {
        return wait.isZero() ? DO_NOT_QUEUE : new AtMost(wait);
    }
}
