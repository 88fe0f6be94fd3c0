package dev.sluice.gateway.http;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/** One inference endpoint: where it is, how its requests are read, and how it speaks. */
public interface Api extends Dialect {
    /** For example {@code /v1/chat/completions}. */
    String path();

    /** Below a provider's base URL, for example {@code /chat/completions}. */
    String upstreamPath();

    /** Reads and checks a body; pure computation, a few microseconds per KiB. */
    Reading read(byte[] body);

    /** The body that asks for the same answer in one piece instead of a stream. */
    byte[] whole(InferenceRequest request);

    /** Present if answers of this API are kept. */
    default Optional<KeptAnswers> kept() {
        return Optional.empty();
    }

    /** Whether the prompt has at least {@code threshold} tokens. */
    Size size(InferenceRequest request, int threshold);

    /** An answer that is known, or that must be counted off the event loop. */
    sealed interface Size {
        record Known(boolean isLong) implements Size {}

        record Count(BooleanSupplier isLong) implements Size {}

        Size SHORT = new Known(false);
        Size LONG = new Known(true);
    }
}
