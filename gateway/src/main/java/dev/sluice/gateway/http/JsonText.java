package dev.sluice.gateway.http;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Bytes that must be JSON in UTF-8, as RFC 8259 demands of what is exchanged. The parser guesses, and would also take
 * UTF-16, UTF-32 and a byte order mark, without telling where in the bytes it is.
 */
public final class JsonText {
    private static final JsonFactory JSON = JsonFactory.builder().build();

    private JsonText() {}

    /**
     * Whether the parser will read these bytes as UTF-8, from the first one on. JSON begins with an ASCII character and
     * has no NUL; a byte order mark is none, and in the wider encodings one of the first two bytes is NUL.
     */
    public static boolean isUtf8(byte[] json) {
        return json.length > 0 && json[0] > 0 && (json.length == 1 || json[1] != 0);
    }

    /** Whether a string can be written in any encoding and read again: JSON can also spell half a surrogate pair. */
    public static boolean isUnicode(String text) {
        return text.codePoints().noneMatch(one -> one >= Character.MIN_SURROGATE && one <= Character.MAX_SURROGATE);
    }

    /** Whether this is one value and nothing else. */
    public static boolean isOneValue(byte[] bytes) {
        if (!isUtf8(bytes)) {
            return false;
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), bytes)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }
}
