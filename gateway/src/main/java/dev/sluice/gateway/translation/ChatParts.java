package dev.sluice.gateway.translation;

import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** What a message of a chat completion, or a piece of one, holds: each value is taken or the answer is broken. */
final class ChatParts {
    /** Content that messages have no counterpart of. */
    private static final List<String> FOREIGN = List.of("audio", "function_call", "annotations", "images");

    private ChatParts() {}

    /** @throws BrokenAnswer if there is content that would get lost */
    static void check(JsonNode message) throws BrokenAnswer {
        for (String field : FOREIGN) {
            JsonNode value = message.path(field);
            if (Json.present(value) && !(value.isContainer() && value.isEmpty())) {
                throw new BrokenAnswer("its '" + field + "' has no counterpart");
            }
        }
    }

    /** The text; some servers give it in parts, as a request may. */
    static String text(JsonNode content) throws BrokenAnswer {
        if (!content.isArray()) {
            return Json.string(content, "content");
        }
        var text = new StringBuilder();
        for (JsonNode part : content) {
            String type = Json.text(part.path("type"));
            if (!type.equals("text")) {
                throw new BrokenAnswer("its content of type '" + type + "' has no counterpart");
            }
            text.append(Json.required(part.path("text"), "text"));
        }
        return text.toString();
    }

    /** Many servers of open models tell their thoughts, by one of two names; the API itself has none. */
    static String thoughts(JsonNode message) throws BrokenAnswer {
        String content = Json.string(message.path("reasoning_content"), "reasoning_content");
        String other = Json.string(message.path("reasoning"), "reasoning");
        return content.isEmpty() ? other : content;
    }

    /** The calls of tools, each of a function. */
    static JsonNode calls(JsonNode message) throws BrokenAnswer {
        JsonNode calls = message.path("tool_calls");
        if (Json.present(calls) && !calls.isArray()) {
            throw new BrokenAnswer("its 'tool_calls' are no list");
        }
        for (JsonNode call : calls) {
            String type = Json.string(call.path("type"), "type");
            if (!type.isEmpty() && !type.equals("function")) {
                throw new BrokenAnswer("its call of a tool of type '" + type + "' has no counterpart");
            }
        }
        return calls;
    }

    /** JSON as text, which it must be; some servers send the object itself. */
    static String arguments(JsonNode function) throws BrokenAnswer {
        JsonNode arguments = function.path("arguments");
        return arguments.isObject() ? Json.write(arguments) : Json.string(arguments, "arguments");
    }

    static JsonNode input(String arguments) throws BrokenAnswer {
        try {
            JsonNode input = arguments.isBlank() ? Json.object() : Json.read(arguments);
            if (input.isObject()) {
                return input;
            }
        } catch (JacksonException e) {
            // Told below.
        }
        throw new BrokenAnswer("the arguments of a tool are no JSON object");
    }

    /** The only choice that was asked for, wherever it stands. */
    static JsonNode choice(JsonNode choices) throws BrokenAnswer {
        for (JsonNode choice : choices) {
            if (choice.path("index").asInt(0) == 0 && choice.path("message").isObject()) {
                return choice;
            }
        }
        throw new BrokenAnswer("it is no chat completion");
    }
}
