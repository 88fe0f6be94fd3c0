package dev.sluice.gateway.body;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A body that asks for a stream, changed to ask for the same answer in one piece; every other byte is the client's. */
public final class WholeBody {
    private static final JsonFactory JSON = JsonFactory.builder().build();

    private WholeBody() {}

    /** @param body a JSON object in UTF-8 that was checked before */
    public static byte[] of(byte[] body) {
        var out = new ByteArrayOutputStream(body.length + 1);
        int copied = 0;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                // Servers refuse options of a stream when none is asked for; null stands for "not given".
                String instead = switch (parser.currentName()) {
                    case "stream" -> "false";
                    case "stream_options" -> "null";
                    default -> "";
                };
                parser.nextToken();
                int from = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
                parser.skipChildren();
                if (!instead.isEmpty()) {
                    out.write(body, copied, from - copied);
                    out.writeBytes(instead.getBytes(StandardCharsets.US_ASCII));
                    copied = end(parser, from);
                }
            }
        }
        out.write(body, copied, body.length - copied);
        return out.toByteArray();
    }

    private static int end(JsonParser parser, int from) {
        return switch (parser.currentToken()) {
            case VALUE_TRUE, VALUE_NULL -> from + 4;
            case VALUE_FALSE -> from + 5;
            default -> Math.toIntExact(parser.currentLocation().getByteOffset());
        };
    }
}
