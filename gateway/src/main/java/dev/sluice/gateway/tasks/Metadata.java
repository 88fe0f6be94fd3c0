package dev.sluice.gateway.tasks;

import java.io.StringWriter;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.databind.json.JsonMapper;

/** What a request says about itself for whoever hears of its end: the object {@code metadata} of its body. */
final class Metadata {
    private static final int LENGTH_MAX = 32 << 10;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Metadata() {}

    /**
     * @param body a JSON object that was checked before
     * @return JSON; empty if there is none, or more than a message should carry
     */
    static Optional<String> of(byte[] body) {
        try (JsonParser parser = JSON.tokenStreamFactory().createParser(ObjectReadContext.empty(), body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean found = parser.currentName().equals("metadata");
                if (parser.nextToken() == JsonToken.START_OBJECT && found) {
                    return Optional.of(copy(parser)).filter(json -> json.length() <= LENGTH_MAX);
                }
                parser.skipChildren();
            }
            return Optional.empty();
        }
    }

    private static String copy(JsonParser parser) {
        var out = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.copyCurrentStructure(parser);
        }
        return out.toString();
    }
}
