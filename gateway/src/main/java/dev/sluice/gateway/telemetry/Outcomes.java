package dev.sluice.gateway.telemetry;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * What became of the last 1,000 requests of this process, which the ledger has forgotten: a client that complains knows
 * its {@code x-request-id}. Safe for use by many threads.
 */
public final class Outcomes {
    private static final int KEPT = 1_000;

    /**
     * @param path that was asked for
     * @param model as the client named it; empty if that was never read
     * @param group empty if the key was unknown
     * @param status 499 for a client that left
     * @param code of the error table; empty for an answer of an upstream
     * @param provider that answered or ran it last; empty if it never ran
     * @param queued how long it waited, when it was granted
     */
    public record Outcome(
            UUID task,
            String path,
            String model,
            String group,
            int status,
            String code,
            String provider,
            Duration queued,
            Instant ended) {
        /** @param admitted empty if it never ran */
        public static Outcome of(
                UUID task,
                String path,
                String model,
                String group,
                int status,
                String code,
                Optional<Admitted> admitted,
                Instant ended) {
            String provider = admitted.flatMap(Admitted::placement)
                    .map(Placement::provider)
                    .orElse("");
            Duration queued = admitted.map(Admitted::waited).orElse(Duration.ZERO);
            return new Outcome(task, path, model, group, status, code, provider, queued, ended);
        }
    }

    private final AtomicReferenceArray<Outcome> last = new AtomicReferenceArray<>(KEPT);
    private final AtomicInteger next = new AtomicInteger();

    public void note(Outcome outcome) {
        last.set(Math.floorMod(next.getAndIncrement(), KEPT), outcome);
    }

    /** The newest of this id; a request that asks again with its idempotency key keeps its id. */
    public Optional<Outcome> find(UUID task) {
        return IntStream.range(0, KEPT)
                .mapToObj(last::get)
                .filter(known -> known != null && known.task().equals(task))
                .reduce((one, other) -> other.ended().isAfter(one.ended()) ? other : one);
    }
}
