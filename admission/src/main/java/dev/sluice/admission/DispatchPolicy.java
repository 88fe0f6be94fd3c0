package dev.sluice.admission;

import java.time.Duration;

/**
 * Governs synchronous tasks whose scopes all have room and that wait for a provider only.
 *
 * @param maxQueue how many may wait so, 0 for nobody
 * @param queueTimeout how long such a task may wait when none of its scopes has a queue; zero for no bound
 */
public record DispatchPolicy(int maxQueue, Duration queueTimeout) {
    public static final DispatchPolicy DEFAULT = new DispatchPolicy(256, Duration.ofSeconds(30));

    public DispatchPolicy {
        if (maxQueue < 0 || queueTimeout.isNegative()) {
            throw new IllegalArgumentException("dispatch bounds must not be negative");
        }
    }
}
