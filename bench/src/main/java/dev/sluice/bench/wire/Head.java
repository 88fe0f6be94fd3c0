package dev.sluice.bench.wire;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The head of a request or response.
 *
 * @param length bytes up to and including the empty line
 * @param contentLength bytes of the body, 0 if not stated
 */
public record Head(int length, String firstLine, int contentLength, boolean chunked) {
    /** The head at the start of {@code bytes}, empty while it is incomplete. */
    public static Optional<Head> parse(byte[] bytes, int count) {
        int end = endOf(bytes, count);
        if (end < 0) {
            return Optional.empty();
        }
        String text = new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
        int lineEnd = text.indexOf("\r\n");
        String firstLine = text.substring(0, lineEnd);
        int contentLength = 0;
        boolean chunked = false;
        for (int start = lineEnd + 2; start < end - 2; start = lineEnd + 2) {
            lineEnd = text.indexOf("\r\n", start);
            int colon = text.indexOf(':', start);
            if (colon < 0 || colon > lineEnd) {
                throw new IllegalArgumentException("a header without a colon: " + text.substring(start, lineEnd));
            }
            if (named(text, start, colon, "content-length")) {
                contentLength =
                        Integer.parseInt(text.substring(colon + 1, lineEnd).strip());
            } else if (named(text, start, colon, "transfer-encoding")) {
                chunked = text.substring(colon + 1, lineEnd).strip().equalsIgnoreCase("chunked");
            }
        }
        return Optional.of(new Head(end, firstLine, contentLength, chunked));
    }

    /** The status of a response head. */
    public int status() {
        return Integer.parseInt(firstLine, 9, 12, 10);
    }

    private static boolean named(String text, int start, int colon, String name) {
        return colon - start == name.length() && text.regionMatches(true, start, name, 0, name.length());
    }

    private static int endOf(byte[] bytes, int count) {
        for (int i = 3; i < count; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                return i + 1;
            }
        }
        return -1;
    }
}
