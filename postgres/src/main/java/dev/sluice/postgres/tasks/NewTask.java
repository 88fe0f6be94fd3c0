package dev.sluice.postgres.tasks;

import java.util.Optional;
import java.util.UUID;

/**
 * A task to be kept.
 *
 * @param owner the group it belongs to
 * @param model the public name asked for
 * @param path the API that it speaks, for example {@code /v1/chat/completions}
 * @param priority a lower number runs sooner
 * @param longPrompt whether it needs a long-context slot
 * @param headers those of the client that pass to the upstream, as the caller writes them
 */
public record NewTask(
        UUID id,
        String owner,
        String model,
        String path,
        int priority,
        boolean longPrompt,
        byte[] request,
        String headers,
        Optional<Idempotency> idempotency) {

    /** Hashes of an idempotency key and of the body it was used with. */
    public record Idempotency(String key, String fingerprint) {}
}
