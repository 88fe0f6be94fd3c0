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
 * @param background present if the answer is kept as a response of its own, under the task's id
 */
public record Filing(
        Ask ask,
        String group,
        String path,
        byte[] body,
        Map<String, String> headers,
        Optional<Idempotency> idempotency,
        Optional<String> webhook,
        Optional<Background> background) {

    /** SHA-256 of a key and of the body it came with, in hexadecimal. */
    public record Idempotency(String key, String body) {}

    /**
     * What a client sees of a response that nobody waits for.
     *
     * @param streamed whether its events are kept, too
     * @param shown the response object as it is while there is no answer, JSON
     * @param input the items that the answer is to, a JSON array
     */
    public record Background(boolean streamed, byte[] shown, byte[] input) {}
}
