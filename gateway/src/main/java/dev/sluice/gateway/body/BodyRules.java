package dev.sluice.gateway.body;

import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.InferenceRequest;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.Reading;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Checks the body of a request in one pass and finds where the value of {@code model} stands. Only what the gateway or
 * every upstream relies on is checked; unknown fields pass.
 */
public final class BodyRules {
    // Names of fields take far more memory than their bytes, and every API needs a few dozen.
    private static final int SHOWN_MAX = 100;
    private static final int FIELDS_MAX = 1_000;
    private static final JsonFactory JSON = JsonFactory.builder().build();

    /** A fault of the body; a value, thrown to keep the reading flat. */
    private static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;
        private final transient Problem problem;

        Wrong(String field, String message) {
            super(message, null, false, false);
            Problem general = Problem.of(Fault.INVALID_REQUEST, message);
            problem = field.isEmpty() ? general : general.at(field);
        }
    }

    private final Map<String, Kind> fields;
    private final List<String> required;

    /**
     * @param fields what is checked beside {@code model}; a request streams only where {@code stream} is one of them
     * @param required those that must be there
     */
    public BodyRules(Map<String, Kind> fields, String... required) {
        this.fields = Map.copyOf(fields);
        this.required = List.of(required);
    }

    public Reading read(byte[] body) {
        if (!looksLikeUtf8Object(body)) {
            return new Reading.Invalid(Problem.of(Fault.INVALID_REQUEST, "The body must be a JSON object in UTF-8."));
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            return new Pass(parser, body).read();
        } catch (Wrong wrong) {
            return new Reading.Invalid(wrong.problem);
        } catch (JacksonException e) {
            long at = e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
            String where = at < 0 ? "" : " near byte " + at;
            return new Reading.Invalid(Problem.of(
                    Fault.INVALID_REQUEST, "The body is not valid JSON" + where + ". Check it and send it again."));
        }
    }

    /** The parser would also take UTF-16, UTF-32 and a byte order mark, and count their offsets differently. */
    private static boolean looksLikeUtf8Object(byte[] body) {
        int at = 0;
        while (at < body.length && (body[at] == ' ' || body[at] == '\n' || body[at] == '\r' || body[at] == '\t')) {
            at++;
        }
        return at < body.length && body[at] == '{' && (at + 1 == body.length || body[at + 1] != 0);
    }

    /** The reading of one body. */
    private final class Pass {
        private final JsonParser parser;
        private final byte[] body;
        private final Set<String> seen = new HashSet<>();
        private @Nullable String model;
        private int modelFrom;
        private int modelTo;
        private boolean stream;

        Pass(JsonParser parser, byte[] body) {
            this.parser = parser;
            this.body = body;
        }

        Reading read() throws Wrong {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                if (!seen.add(name)) {
                    String shown = name.length() <= SHOWN_MAX ? name : name.substring(0, SHOWN_MAX) + "…";
                    throw new Wrong(shown, "The field '" + shown + "' occurs twice.");
                }
                if (seen.size() > FIELDS_MAX) {
                    throw new Wrong("", "The object has more than " + FIELDS_MAX + " fields.");
                }
                field(name, parser.nextToken());
            }
            if (parser.nextToken() != null) {
                throw new Wrong("", "Nothing may follow the JSON object.");
            }
            String asked = model;
            if (asked == null) {
                throw new Wrong("model", "The field 'model' is missing. GET /v1/models lists the models.");
            }
            for (String name : required) {
                if (!seen.contains(name)) {
                    throw new Wrong(name, "The field '" + name + "' is missing.");
                }
            }
            return new InferenceRequest(asked, stream, modelFrom, modelTo, body);
        }

        private void field(String name, JsonToken value) throws Wrong {
            if (name.equals("model")) {
                model(value);
                return;
            }
            Kind kind = fields.get(name);
            if (kind == null) {
                parser.skipChildren();
                return;
            }
            // Many clients send null for what they leave to its default.
            boolean leftOut = value == JsonToken.VALUE_NULL && !required.contains(name);
            if (!leftOut && !matches(kind, value)) {
                throw new Wrong(name, "The field '" + name + "' must be " + kind.words + ".");
            }
            if (kind == Kind.OBJECTS && !leftOut) {
                objects(name);
            } else {
                parser.skipChildren();
            }
            if (name.equals("stream")) {
                stream = value == JsonToken.VALUE_TRUE;
            }
        }

        private void model(JsonToken value) throws Wrong {
            if (value != JsonToken.VALUE_STRING) {
                throw new Wrong("model", "The field 'model' must be a string.");
            }
            modelFrom = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
            String name = parser.getString();
            modelTo = Math.toIntExact(parser.currentLocation().getByteOffset());
            if (name.isEmpty()) {
                throw new Wrong("model", "The field 'model' must not be empty.");
            }
            model = name;
        }

        private void objects(String name) throws Wrong {
            int count = 0;
            for (JsonToken item = parser.nextToken(); item != JsonToken.END_ARRAY; item = parser.nextToken()) {
                if (item != JsonToken.START_OBJECT) {
                    throw new Wrong(name, "Each element of '" + name + "' must be an object.");
                }
                parser.skipChildren();
                count++;
            }
            if (count == 0) {
                throw new Wrong(name, "The field '" + name + "' must not be empty.");
            }
        }
    }

    private static boolean matches(Kind kind, JsonToken value) {
        return switch (kind) {
            case BOOLEAN -> value == JsonToken.VALUE_TRUE || value == JsonToken.VALUE_FALSE;
            case WHOLE -> value == JsonToken.VALUE_NUMBER_INT;
            case NUMBER -> value.isNumeric();
            case STRING -> value == JsonToken.VALUE_STRING;
            case OBJECT -> value == JsonToken.START_OBJECT;
            case ARRAY, OBJECTS -> value == JsonToken.START_ARRAY;
            case STRING_OR_ARRAY -> value == JsonToken.VALUE_STRING || value == JsonToken.START_ARRAY;
        };
    }
}
