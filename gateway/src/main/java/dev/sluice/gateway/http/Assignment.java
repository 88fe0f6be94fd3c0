package dev.sluice.gateway.http;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An admitted asynchronous task, ready to be sent to its provider.
 *
 * @param admitted its leases were renewed just now
 * @param headers those that pass to the upstream
 * @param answerBytesMax the largest answer that is kept
 * @param heard gets each piece of a successful answer as it comes, on the event loop
 */
public record Assignment(
        Ask ask,
        Admitted admitted,
        Api api,
        InferenceRequest request,
        Map<String, String> headers,
        long answerBytesMax,
        Consumer<Buffer> heard) {
    public Assignment {
        headers = Map.copyOf(headers);
    }
}
