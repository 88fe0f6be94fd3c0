package dev.sluice.gateway.translation;

import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The conversation of a chat as a system prompt and messages. */
final class ChatTurns {
    private final ArrayNode system = Json.array();
    private final ArrayNode messages = Json.array();
    /** The blocks of the last message, while it holds results of tools only. */
    private Optional<ArrayNode> results = Optional.empty();

    private ChatTurns() {}

    static void translate(List<Fields> turns, ObjectNode out) throws Untranslatable {
        var translation = new ChatTurns();
        for (int i = 0; i < turns.size(); i++) {
            translation.turn(turns.get(i), i == turns.size() - 1);
        }
        ArrayNode system = translation.system;
        if (system.size() == 1) {
            out.set("system", system.get(0).path("text"));
        } else if (!system.isEmpty()) {
            out.set("system", system);
        }
        out.set("messages", translation.messages);
    }

    private void turn(Fields turn, boolean last) throws Untranslatable {
        String role = turn.text("role");
        switch (role) {
            case "system", "developer" -> system(turn);
            case "user" -> user(turn);
            case "assistant" -> assistant(turn, last);
            case "tool" -> result(turn);
            default -> throw turn.refuse("role", "the role '" + role + "' has no counterpart");
        }
        turn.done();
    }

    private void system(Fields turn) throws Untranslatable {
        ArrayNode blocks = blocks(turn, turn.need("content"), false);
        if (messages.isEmpty()) {
            system.addAll(blocks);
        } else {
            add("system", blocks);
        }
    }

    private void user(Fields turn) throws Untranslatable {
        ArrayNode blocks = blocks(turn, turn.need("content"), true);
        if (results.isPresent()) {
            // Results and what the user says to them are one turn there.
            results.get().addAll(blocks);
            results = Optional.empty();
        } else {
            add("user", blocks);
        }
    }

    private void assistant(Fields turn, boolean last) throws Untranslatable {
        if (last) {
            throw turn.refuse("role", "an answer that is already begun would be continued there, and not here");
        }
        Optional<JsonNode> content = turn.take("content");
        ArrayNode blocks = Json.array();
        // An empty text beside calls of tools is refused there.
        if (content.filter(value -> !value.isString() || !Json.text(value).isEmpty())
                .isPresent()) {
            blocks.addAll(blocks(turn, content.get(), false));
        }
        for (Fields call : turn.objects("tool_calls")) {
            blocks.add(call(call));
        }
        turn.onlyIf("annotations", Usual.EMPTY);
        add("assistant", blocks);
    }

    private static ObjectNode call(Fields call) throws Untranslatable {
        String type = call.optionalText("type").orElse("function");
        if (!type.equals("function")) {
            throw call.refuse("type", "tools of type '" + type + "' have no counterpart");
        }
        Fields function = call.needObject("function");
        ObjectNode block = Json.typed("tool_use").put("id", call.text("id")).put("name", function.text("name"));
        block.set("input", arguments(function));
        function.done();
        call.done();
        return block;
    }

    private static JsonNode arguments(Fields function) throws Untranslatable {
        String json = function.text("arguments");
        try {
            JsonNode input = json.isBlank() ? Json.object() : Json.read(json);
            if (input.isObject()) {
                return input;
            }
        } catch (JacksonException e) {
            // Told below.
        }
        throw function.refuse("arguments", "it must be a JSON object");
    }

    private void result(Fields turn) throws Untranslatable {
        ObjectNode block = Json.typed("tool_result").put("tool_use_id", turn.text("tool_call_id"));
        JsonNode content = turn.need("content");
        block.set("content", content.isString() ? content : blocks(turn, content, false));
        if (results.isEmpty()) {
            ArrayNode blocks = Json.array();
            messages.add(Json.object().put("role", "user").set("content", blocks));
            results = Optional.of(blocks);
        }
        results.get().add(block);
    }

    private void add(String role, ArrayNode blocks) {
        results = Optional.empty();
        boolean textAlone =
                blocks.size() == 1 && Json.text(blocks.get(0).path("type")).equals("text");
        messages.add(Json.object()
                .put("role", role)
                .set("content", textAlone ? blocks.get(0).path("text") : blocks));
    }

    private static ArrayNode blocks(Fields turn, JsonNode content, boolean media) throws Untranslatable {
        ArrayNode blocks = Json.array();
        if (content.isString()) {
            return blocks.add(Json.typed("text").set("text", content));
        }
        for (Fields part : Fields.objects(content, turn.path("content"))) {
            String type = part.text("type");
            if (type.equals("text")) {
                blocks.add(Json.typed("text").put("text", part.text("text")));
            } else if (type.equals("image_url") && media) {
                blocks.add(Images.toBlock(part));
            } else if (type.equals("file") && media) {
                blocks.add(Documents.toBlock(part));
            } else {
                throw part.refuse("type", "content of type '" + type + "' has no counterpart in this place");
            }
            part.done();
        }
        return blocks;
    }
}
