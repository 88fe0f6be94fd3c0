package dev.sluice.gateway.translation;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A system prompt and messages as the conversation of a chat. */
final class MessagesTurns {
    private static final String FAILED = "The tool failed: ";

    private final ArrayNode turns = Json.array();
    private final Notes notes;

    private MessagesTurns(Notes notes) {
        this.notes = notes;
    }

    static ArrayNode translate(Fields request, Notes notes) throws Untranslatable {
        var translation = new MessagesTurns(notes);
        Optional<JsonNode> system = request.take("system");
        if (system.isPresent()) {
            translation.add("system", translation.texts(request, "system", system.get()));
        }
        List<Fields> messages = request.objects("messages");
        for (int i = 0; i < messages.size(); i++) {
            translation.turn(messages.get(i), i == messages.size() - 1);
        }
        return translation.turns;
    }

    private void turn(Fields turn, boolean last) throws Untranslatable {
        String role = turn.text("role");
        JsonNode content = turn.need("content");
        switch (role) {
            case "system" -> add("system", texts(turn, "content", content));
            case "user" -> user(turn, content);
            case "assistant" -> {
                if (last) {
                    throw turn.refuse("role", "an answer that is already begun cannot be continued there");
                }
                assistant(turn, content);
            }
            default -> throw turn.refuse("role", "the role '" + role + "' has no counterpart");
        }
        turn.done();
    }

    private void user(Fields turn, JsonNode content) throws Untranslatable {
        ArrayNode parts = Json.array();
        if (content.isString()) {
            parts.add(text(content.stringValue()));
        } else {
            for (Fields block : Fields.objects(content, turn.path("content"))) {
                String type = block.text("type");
                switch (type) {
                    case "text" -> parts.add(text(block));
                    case "image" -> {
                        parts.add(Images.toPart(block));
                        finish(block);
                    }
                    case "document" -> {
                        parts.add(Documents.toPart(block));
                        finish(block);
                    }
                    case "tool_result" -> {
                        if (!parts.isEmpty()) {
                            add("user", parts);
                            parts = Json.array();
                        }
                        result(block);
                    }
                    default -> throw block.refuse("type", "content of type '" + type + "' has no counterpart");
                }
            }
        }
        if (!parts.isEmpty()) {
            add("user", parts);
        }
    }

    private void result(Fields block) throws Untranslatable {
        String id = block.text("tool_use_id");
        boolean failed = block.flag("is_error");
        Optional<JsonNode> content = block.take("content");
        ArrayNode parts = content.isPresent() ? texts(block, "content", content.get()) : Json.array();
        if (failed) {
            // The role has no field for it, so it is said in words.
            parts.insert(0, text(FAILED));
        }
        finish(block);
        ObjectNode turn = Json.object().put("role", "tool").put("tool_call_id", id);
        var joined = new StringBuilder();
        parts.forEach(part -> joined.append(Json.text(part.path("text"))));
        boolean plain = parts.size() <= (failed ? 2 : 1);
        turns.add(plain ? turn.put("content", joined.toString()) : turn.set("content", parts));
    }

    private void assistant(Fields turn, JsonNode content) throws Untranslatable {
        if (content.isString()) {
            add("assistant", Json.array().add(text(content.stringValue())));
            return;
        }
        ArrayNode texts = Json.array();
        ArrayNode calls = Json.array();
        var thoughts = new StringBuilder();
        for (Fields block : Fields.objects(content, turn.path("content"))) {
            String type = block.text("type");
            if (!calls.isEmpty() && !type.equals("tool_use")) {
                throw block.refuse("type", "nothing may follow the calls of tools in an answer there");
            }
            switch (type) {
                case "text" -> texts.add(text(block));
                case "tool_use" -> calls.add(call(block));
                case "thinking" -> {
                    thoughts.append(block.text("thinking"));
                    // By it a provider knows its own thoughts again; no other can.
                    block.take("signature");
                    block.done();
                }
                case "redacted_thinking" -> notes.redactedThinking(block);
                default -> throw block.refuse("type", "content of type '" + type + "' has no counterpart");
            }
        }
        ObjectNode answer = Json.object().put("role", "assistant");
        answer.set("content", texts.isEmpty() ? answer.nullNode() : single(texts));
        if (!thoughts.isEmpty()) {
            answer.put("reasoning_content", thoughts.toString());
        }
        if (!calls.isEmpty()) {
            answer.set("tool_calls", calls);
        }
        turns.add(answer);
    }

    private ObjectNode call(Fields block) throws Untranslatable {
        ObjectNode function =
                Json.object().put("name", block.text("name")).put("arguments", Json.write(block.need("input")));
        ObjectNode call = Json.object().put("id", block.text("id")).put("type", "function");
        block.onlyIf("caller", value -> Json.text(value.path("type")).equals("direct"));
        finish(block);
        return call.set("function", function);
    }

    /** A string or text blocks. */
    private ArrayNode texts(Fields owner, String name, JsonNode content) throws Untranslatable {
        ArrayNode parts = Json.array();
        if (content.isString()) {
            return parts.add(text(content.stringValue()));
        }
        for (Fields block : Fields.objects(content, owner.path(name))) {
            String type = block.text("type");
            if (!type.equals("text")) {
                throw block.refuse("type", "content of type '" + type + "' has no counterpart in this place");
            }
            parts.add(text(block));
        }
        return parts;
    }

    private ObjectNode text(Fields block) throws Untranslatable {
        ObjectNode part = text(block.text("text"));
        block.onlyIf("citations", Usual.EMPTY);
        finish(block);
        return part;
    }

    private static ObjectNode text(String text) {
        return Json.typed("text").put("text", text);
    }

    private void finish(Fields block) throws Untranslatable {
        notes.cacheControl(block);
        block.done();
    }

    private void add(String role, ArrayNode parts) {
        turns.add(Json.object().put("role", role).set("content", single(parts)));
    }

    /** One text is the string that every server takes. */
    private static JsonNode single(ArrayNode parts) {
        boolean one = parts.size() == 1 && Json.text(parts.get(0).path("type")).equals("text");
        return one ? parts.get(0).path("text") : parts;
    }
}
