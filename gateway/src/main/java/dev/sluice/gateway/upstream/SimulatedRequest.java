package dev.sluice.gateway.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the simulated model understands of a chat completion request.
 *
 * @param tokensMax of {@code max_completion_tokens} or {@code max_tokens}
 * @param exact {@code ignore_eos}: the answer has {@code tokensMax} tokens, as model servers offer it for load tests
 * @param promptTokens a quarter of the characters of all messages, rounded up
 */
record SimulatedRequest(
        String model,
        boolean stream,
        boolean includeUsage,
        OptionalInt tokensMax,
        boolean exact,
        List<String> stop,
        int promptTokens) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int STOP_SEQUENCES_MAX = 4;

    /** Why a request is refused with 400. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        final String param;

        Refused(String param, String message) {
            this(param, message, null);
        }

        Refused(String param, String message, @Nullable Throwable cause) {
            super(message, cause, false, false);
            this.param = param;
        }
    }

    static SimulatedRequest parse(byte[] body) throws Refused {
        JsonNode root;
        try {
            root = JSON.readTree(body);
        } catch (JacksonException e) {
            throw new Refused("", "The body is not valid JSON.", e);
        }
        if (!root.isObject()) {
            throw new Refused("", "The body must be a JSON object.");
        }
        JsonNode model = root.path("model");
        if (!model.isString() || model.stringValue().isEmpty()) {
            throw new Refused("model", "You must provide a model parameter.");
        }
        JsonNode messages = root.path("messages");
        if (!messages.isArray() || messages.isEmpty()) {
            throw new Refused("messages", "'messages' must be a non-empty array.");
        }
        long characters = 0;
        for (JsonNode message : messages) {
            if (!message.path("role").isString()) {
                throw new Refused("messages", "Each message needs a role.");
            }
            characters += characters(message.path("content"));
        }
        boolean stream = flag(root, "stream");
        if (root.has("n") && root.path("n").asInt(0) != 1) {
            throw new Refused("n", "The simulated model gives one choice.");
        }
        return new SimulatedRequest(
                model.stringValue(),
                stream,
                flag(root.path("stream_options"), "include_usage"),
                tokensMax(root),
                flag(root, "ignore_eos"),
                stop(root.path("stop")),
                (int) Math.max(1, (characters + 3) / 4));
    }

    private static long characters(JsonNode content) {
        if (content.isString()) {
            return content.stringValue().length();
        }
        long sum = 0;
        for (JsonNode part : content) {
            JsonNode text = part.path("text");
            sum += text.isString() ? text.stringValue().length() : 0;
        }
        return sum;
    }

    private static boolean flag(JsonNode parent, String name) throws Refused {
        JsonNode value = parent.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return false;
        }
        if (!value.isBoolean()) {
            throw new Refused(name, "'" + name + "' must be a boolean.");
        }
        return value.booleanValue();
    }

    private static OptionalInt tokensMax(JsonNode root) throws Refused {
        for (String name : List.of("max_completion_tokens", "max_tokens")) {
            JsonNode value = root.path(name);
            if (value.isMissingNode() || value.isNull()) {
                continue;
            }
            if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1) {
                throw new Refused(name, "'" + name + "' must be an integer of at least 1.");
            }
            return OptionalInt.of(value.intValue());
        }
        return OptionalInt.empty();
    }

    private static List<String> stop(JsonNode value) throws Refused {
        if (value.isMissingNode() || value.isNull()) {
            return List.of();
        }
        List<String> sequences = new ArrayList<>();
        if (value.isString()) {
            sequences.add(value.stringValue());
        } else if (value.isArray() && value.size() <= STOP_SEQUENCES_MAX) {
            for (JsonNode item : value) {
                if (!item.isString()) {
                    throw new Refused("stop", "'stop' must hold strings.");
                }
                sequences.add(item.stringValue());
            }
        } else {
            throw new Refused("stop", "'stop' must be a string or up to four strings.");
        }
        if (sequences.contains("")) {
            throw new Refused("stop", "'stop' must not be empty.");
        }
        return sequences;
    }
}
