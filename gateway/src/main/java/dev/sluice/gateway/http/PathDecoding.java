package dev.sluice.gateway.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Percent-decoding of a path segment; a plus sign stays one. */
final class PathDecoding {
    private PathDecoding() {}

    static String decode(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return segment;
        }
    }
}
