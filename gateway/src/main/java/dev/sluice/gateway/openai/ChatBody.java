package dev.sluice.gateway.openai;

import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.InferenceRequest;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.Reading;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Checks the body of a chat completion in one pass and finds where the value of {@code model} stands. Only what the
 * gateway or every upstream relies on is checked; unknown fields pass.
 */
final class ChatBody {
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

    private final JsonParser parser;
    private final byte[] body;
    private @Nullable String model;
    private int modelFrom;
    private int modelTo;
    private boolean stream;
    private boolean messages;

    private ChatBody(JsonParser parser, byte[] body) {
        this.parser = parser;
        this.body = body;
    }

    static Reading read(byte[] body) {
        if (!looksLikeUtf8Object(body)) {
            return new Reading.Invalid(Problem.of(Fault.INVALID_REQUEST, "The body must be a JSON object in UTF-8."));
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            return new ChatBody(parser, body).read();
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

    private Reading read() throws Wrong {
        parser.nextToken();
        Set<String> seen = new HashSet<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            if (!seen.add(name)) {
                throw new Wrong(name, "The field '" + name + "' occurs twice.");
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
        if (!messages) {
            throw new Wrong("messages", "The field 'messages' is missing.");
        }
        return new InferenceRequest(asked, stream, modelFrom, modelTo, body);
    }

    private void field(String name, JsonToken value) throws Wrong {
        switch (name) {
            case "model" -> model(value);
            case "messages" -> messages(value);
            case "stream" -> {
                require(name, value == JsonToken.VALUE_TRUE || value == JsonToken.VALUE_FALSE, value, "a boolean");
                stream = value == JsonToken.VALUE_TRUE;
            }
            case "max_tokens", "max_completion_tokens", "n", "seed" ->
                require(name, value == JsonToken.VALUE_NUMBER_INT, value, "a whole number");
            case "temperature", "top_p", "presence_penalty", "frequency_penalty" ->
                require(name, value.isNumeric(), value, "a number");
            case "stream_options", "response_format", "metadata", "logit_bias" -> object(name, value, "an object");
            case "tools", "functions" -> array(name, value, "an array");
            case "stop" -> {
                require(
                        name,
                        value == JsonToken.VALUE_STRING || value == JsonToken.START_ARRAY,
                        value,
                        "a string or an array");
                parser.skipChildren();
            }
            case "user" -> require(name, value == JsonToken.VALUE_STRING, value, "a string");
            default -> parser.skipChildren();
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

    private void messages(JsonToken value) throws Wrong {
        if (value != JsonToken.START_ARRAY) {
            throw new Wrong("messages", "The field 'messages' must be an array.");
        }
        messages = true;
        int count = 0;
        for (JsonToken item = parser.nextToken(); item != JsonToken.END_ARRAY; item = parser.nextToken()) {
            if (item != JsonToken.START_OBJECT) {
                throw new Wrong("messages", "Each element of 'messages' must be an object.");
            }
            parser.skipChildren();
            count++;
        }
        if (count == 0) {
            throw new Wrong("messages", "The field 'messages' must not be empty.");
        }
    }

    private void object(String name, JsonToken value, String kind) throws Wrong {
        require(name, value == JsonToken.START_OBJECT, value, kind);
        parser.skipChildren();
    }

    private void array(String name, JsonToken value, String kind) throws Wrong {
        require(name, value == JsonToken.START_ARRAY, value, kind);
        parser.skipChildren();
    }

    private static void require(String name, boolean right, JsonToken value, String kind) throws Wrong {
        // Many clients send null for what they leave to its default.
        if (!right && value != JsonToken.VALUE_NULL) {
            throw new Wrong(name, "The field '" + name + "' must be " + kind + ".");
        }
    }
}
