package dev.sluice.gateway.batches;

import dev.sluice.gateway.batches.LineReader.Line;
import dev.sluice.gateway.http.JsonText;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** One line of a batch's input: an id of the client's, and the request. */
sealed interface BatchLine {
    /** @param body every byte as in the file */
    record Request(String customId, byte[] body) implements BatchLine {}

    record Broken(LineFault fault) implements BatchLine {}

    int CUSTOM_ID_LENGTH_MAX = 512;
    JsonFactory JSON = JsonFactory.builder().build();

    /** @param endpoint the one that all lines of the batch must name */
    static BatchLine read(Line line, String endpoint, long bytesMax) {
        if (line.isTooLong()) {
            return broken(
                    "line_too_long", "This line is longer than " + bytesMax + " bytes, the most of one request.", "");
        }
        if (!JsonText.isUtf8(line.bytes())) {
            return broken(
                    "invalid_json_line",
                    "This line does not begin as JSON in UTF-8 does. Save the file in UTF-8, without a byte order mark.",
                    "");
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line.bytes())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return broken("invalid_json_line", "This line is not a JSON object.", "");
            }
            return new Pass(parser, line.bytes()).read(endpoint);
        } catch (JacksonException e) {
            return broken("invalid_json_line", "This line is not valid JSON.", "");
        } catch (RuntimeException bug) {
            // The same line would fail at every gateway and every time, and the batch would never end.
            LoggerFactory.getLogger(BatchLine.class).error("failed at a line of a batch", bug);
            return broken("internal_error", "The gateway failed at this line. Its log tells more.", "");
        }
    }

    private static Broken broken(String code, String message, String param) {
        return new Broken(LineFault.of(code, message, param));
    }

    /** The reading of one line. */
    final class Pass {
        private final JsonParser parser;
        private final byte[] bytes;
        private final Set<String> seen = new HashSet<>();
        private @Nullable String customId;
        private @Nullable String method;
        private @Nullable String url;
        private byte @Nullable [] body;

        Pass(JsonParser parser, byte[] bytes) {
            this.parser = parser;
            this.bytes = bytes;
        }

        BatchLine read(String endpoint) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (!seen.add(name) || seen.size() > 16) {
                    return broken(
                            "invalid_json_line", "This line has a field twice, or more fields than a request has.", "");
                }
                field(name, value);
            }
            if (parser.nextToken() != null) {
                return broken("invalid_json_line", "Nothing may follow the JSON object of a line.", "");
            }
            return checked(endpoint);
        }

        private void field(String name, JsonToken value) {
            if (value == JsonToken.VALUE_STRING) {
                switch (name) {
                    case "custom_id" -> customId = parser.getString();
                    case "method" -> method = parser.getString();
                    case "url" -> url = parser.getString();
                    default -> parser.skipChildren();
                }
                return;
            }
            int from = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
            parser.skipChildren();
            if (name.equals("body") && value == JsonToken.START_OBJECT) {
                body = Arrays.copyOfRange(
                        bytes, from, Math.toIntExact(parser.currentLocation().getByteOffset()));
            }
        }

        private static boolean isCustomId(String id) {
            return !id.isEmpty()
                    && id.length() <= CUSTOM_ID_LENGTH_MAX
                    && id.indexOf('\0') < 0
                    && JsonText.isUnicode(id);
        }

        private BatchLine checked(String endpoint) {
            String id = customId;
            byte[] request = body;
            if (id == null || !isCustomId(id)) {
                return broken(
                        "missing_required_parameter",
                        "Each line needs a 'custom_id', a string of 1 to " + CUSTOM_ID_LENGTH_MAX + " characters.",
                        "custom_id");
            }
            if (!"POST".equals(method)) {
                return broken("invalid_method", "The 'method' of each line must be POST.", "method");
            }
            if (!endpoint.equals(url)) {
                return broken(
                        "invalid_url", "The 'url' of each line must be the batch's endpoint, " + endpoint + ".", "url");
            }
            if (request == null) {
                return broken("missing_required_parameter", "Each line needs a 'body', a JSON object.", "body");
            }
            return new Request(id, request);
        }
    }
}
