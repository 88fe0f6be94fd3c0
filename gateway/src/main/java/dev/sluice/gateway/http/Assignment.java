package dev.sluice.gateway.http;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import java.util.Map;

/**
 * An admitted asynchronous task, ready to be sent to its provider.
 *
 * @param admitted its leases were renewed just now
 * @param headers those that pass to the upstream
 * @param answerBytesMax the largest answer that is kept
 */
public record Assignment(
        Ask ask,
        Admitted admitted,
        Api api,
        InferenceRequest request,
        Map<String, String> headers,
        long answerBytesMax) {
    public Assignment {
        headers = Map.copyOf(headers);
    }
}
