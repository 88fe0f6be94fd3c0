package dev.sluice.gateway.translation;

import io.vertx.core.buffer.Buffer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An answer of messages, for a client of chat completions. */
final class MessagesAnswer implements AnswerTranslation {
    private final long created;
    private final boolean includeUsage;

    /**
     * @param created seconds since 1970; messages carry no date, and the client requires one
     * @param includeUsage whether a stream ends with its usage
     */
    MessagesAnswer(long created, boolean includeUsage) {
        this.created = created;
        this.includeUsage = includeUsage;
    }

    @Override
    public Buffer whole(Buffer body) throws BrokenAnswer {
        try {
            return Buffer.buffer(Json.bytes(completion(Json.read(body.getBytes()))));
        } catch (JacksonException e) {
            throw new BrokenAnswer("it is not JSON", e);
        }
    }

    private ObjectNode completion(JsonNode message) throws BrokenAnswer {
        if (!Json.text(message.path("type")).equals("message")) {
            throw new BrokenAnswer("it is no message");
        }
        var content = new StringBuilder();
        var thoughts = new StringBuilder();
        ArrayNode calls = Json.array();
        boolean anyText = false;
        for (JsonNode block : blocks(message.path("content"))) {
            String type = Json.text(block.path("type"));
            switch (type) {
                case "text" -> {
                    anyText = true;
                    content.append(text(block));
                }
                // Only the provider that had these thoughts can read them: the answer is worth more than a failure.
                case "redacted_thinking" -> {}
                case "thinking" -> thoughts.append(Json.required(block.path("thinking"), "thinking"));
                case "tool_use" ->
                    calls.add(call(block)
                            .put("type", "function")
                            .set(
                                    "function",
                                    Json.object()
                                            .put("name", Json.name(block.path("name")))
                                            .put("arguments", input(block))));
                default -> throw new BrokenAnswer("its content of type '" + type + "' has no counterpart");
            }
        }
        ObjectNode answer = Json.object().put("role", "assistant");
        answer.set("content", anyText ? answer.stringNode(content.toString()) : answer.nullNode());
        answer.set("refusal", answer.nullNode());
        if (!thoughts.isEmpty()) {
            answer.put("reasoning_content", thoughts.toString());
        }
        if (!calls.isEmpty()) {
            answer.set("tool_calls", calls);
        }
        ObjectNode choice = Json.object().put("index", 0).set("message", answer);
        choice.set("logprobs", choice.nullNode());
        choice.put("finish_reason", StopReasons.toChat(Json.text(message.path("stop_reason")), !calls.isEmpty()));
        ObjectNode out = Json.object()
                .put("id", Json.text(message.path("id")))
                .put("object", "chat.completion")
                .put("created", created)
                .put("model", Json.text(message.path("model")));
        out.set("choices", Json.array().add(choice));
        return out.set("usage", Usage.NONE.thenMessages(message.path("usage")).toChat());
    }

    private static ObjectNode call(JsonNode block) {
        return Json.object().put("id", Json.text(block.path("id")));
    }

    /** One text may stand for its block, as in a request. */
    private static JsonNode blocks(JsonNode content) throws BrokenAnswer {
        if (content.isString()) {
            return Json.array().add(Json.typed("text").set("text", content));
        }
        if (!content.isArray()) {
            throw new BrokenAnswer("its 'content' is no list of blocks");
        }
        return content;
    }

    /** Empty if it was left out, as it may be where a block begins. */
    static String text(JsonNode block) throws BrokenAnswer {
        if (!block.path("citations").isEmpty()) {
            throw new BrokenAnswer("its 'citations' have no counterpart");
        }
        return Json.string(block.path("text"), "text");
    }

    /** What a tool is called with, as JSON text. */
    static String input(JsonNode block) throws BrokenAnswer {
        JsonNode input = block.path("input");
        if (Json.present(input) && !input.isObject()) {
            throw new BrokenAnswer("the input of a tool is no JSON object");
        }
        return input.isObject() ? Json.write(input) : "{}";
    }

    @Override
    public Buffer error(int status, Buffer body) {
        return Errors.toChat(status, body);
    }

    @Override
    public StreamTranslation stream() {
        return new MessagesStream(created, includeUsage);
    }
}
