package dev.sluice.gateway.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the head of an inference request must say about its body. */
final class RequestHead {
    private static final String JSON = "application/json";
    private static final String CHUNKED = "chunked";

    private RequestHead() {}

    /**
     * Whether the head says in one way alone where the request goes and how long it is; else a proxy before this gateway
     * may read another request than the gateway does. RFC 9112, sections 3.2 and 6.1.
     */
    static Optional<Problem> ambiguity(MultiMap headers) {
        if (headers.contains(HttpHeaders.TRANSFER_ENCODING)) {
            List<String> codings = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
            if (codings.size() != 1 || !codings.getFirst().strip().equalsIgnoreCase(CHUNKED)) {
                return Optional.of(
                        Problem.of(Fault.INVALID_HEADER, "The only transfer coding that a body may have is 'chunked'.")
                                .at("transfer-encoding"));
            }
        }
        if (headers.getAll(HttpHeaders.HOST).size() > 1) {
            return Optional.of(Problem.of(Fault.INVALID_HEADER, "A request names its host once.")
                    .at("host"));
        }
        return Optional.empty();
    }

    static Optional<Problem> fault(MultiMap headers, long bodyBytesMax) {
        String type = headers.get(HttpHeaders.CONTENT_TYPE);
        if (type == null || !JSON.equals(mediaType(type))) {
            return Optional.of(Problem.of(
                            Fault.UNSUPPORTED_MEDIA_TYPE,
                            "The body must be JSON: send 'content-type: application/json'.")
                    .at("content-type"));
        }
        String encoding = headers.get(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            return Optional.of(Problem.of(
                            Fault.UNSUPPORTED_MEDIA_TYPE,
                            "The body must not be compressed: leave content-encoding out.")
                    .at("content-encoding"));
        }
        String length = headers.get(HttpHeaders.CONTENT_LENGTH);
        if (length != null && exceeds(length, bodyBytesMax)) {
            return Optional.of(Problems.tooLarge(bodyBytesMax));
        }
        String expect = headers.get(HttpHeaders.EXPECT);
        if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
            return Optional.of(Problem.of(Fault.INVALID_HEADER, "The only expectation that can be met is 100-continue.")
                    .at("expect"));
        }
        return Optional.empty();
    }

    private static String mediaType(String contentType) {
        int parameters = contentType.indexOf(';');
        String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
        return type.strip().toLowerCase(Locale.ROOT);
    }

    private static boolean exceeds(String length, long bytesMax) {
        try {
            return Long.parseLong(length.strip()) > bytesMax;
        } catch (NumberFormatException e) {
            // A number of more digits than a long has; the decoder has refused anything that is no number.
            return true;
        }
    }
}
