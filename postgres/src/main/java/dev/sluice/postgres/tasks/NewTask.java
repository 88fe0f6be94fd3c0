package dev.sluice.postgres.tasks;

import java.time.Instant;
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
 * @param created by the database's clock; empty for the moment it is kept
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
        Optional<Idempotency> idempotency,
        Optional<Webhook> webhook,
        Optional<Instant> created) {

    /** One that is created when it is kept, and whose end nobody wants to hear of. */
    public NewTask(
            UUID id,
            String owner,
            String model,
            String path,
            int priority,
            boolean longPrompt,
            byte[] request,
            String headers,
            Optional<Idempotency> idempotency) {
        this(
                id,
                owner,
                model,
                path,
                priority,
                longPrompt,
                request,
                headers,
                idempotency,
                Optional.empty(),
                Optional.empty());
    }

    /** Hashes of an idempotency key and of the body it was used with. */
    public record Idempotency(String key, String fingerprint) {}

    /**
     * Who is told of its end.
     *
     * @param id of one of the owner's webhooks
     * @param metadata what the request says about itself, a JSON value; empty for nothing
     */
    public record Webhook(String id, Optional<String> metadata) {}
}
