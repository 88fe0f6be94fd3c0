package dev.sluice.gateway.http;

import dev.sluice.admission.Ask;
import java.util.Map;
import java.util.Optional;

/**
 * A checked request that is to be executed later.
 *
 * @param ask asynchronous, under the scopes of its group
 * @param path of its API, for example {@code /v1/chat/completions}
 * @param body asks for an answer in one piece
 * @param headers those that pass to the upstream
 * @param webhook which of the group's webhooks hears of the task's end
 */
public record Filing(
        Ask ask,
        String group,
        String path,
        byte[] body,
        Map<String, String> headers,
        Optional<Idempotency> idempotency,
        Optional<String> webhook) {

    /** SHA-256 of a key and of the body it came with, in hexadecimal. */
    public record Idempotency(String key, String body) {}
}
