package dev.sluice.gateway.translation;

import io.vertx.core.buffer.Buffer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An answer of chat completions, for a client of messages. */
final class ChatAnswer implements AnswerTranslation {
    @Override
    public Buffer whole(Buffer body) throws BrokenAnswer {
        try {
            return Buffer.buffer(Json.bytes(message(Json.read(body.getBytes()))));
        } catch (JacksonException e) {
            throw new BrokenAnswer("it is not JSON", e);
        }
    }

    private static ObjectNode message(JsonNode completion) throws BrokenAnswer {
        JsonNode choice = ChatParts.choice(completion.path("choices"));
        JsonNode message = choice.path("message");
        ChatParts.check(message);
        ArrayNode content = Json.array();
        String thoughts = ChatParts.thoughts(message);
        if (!thoughts.isEmpty()) {
            content.add(Json.typed("thinking").put("thinking", thoughts).put("signature", ""));
        }
        String text = ChatParts.text(message.path("content"));
        String refusal = Json.string(message.path("refusal"), "refusal");
        if (!text.isEmpty() || !refusal.isEmpty()) {
            content.add(text(text + refusal));
        }
        JsonNode calls = ChatParts.calls(message);
        for (JsonNode call : calls) {
            JsonNode function = call.path("function");
            content.add(Json.typed("tool_use")
                    .put("id", Json.string(call.path("id"), "id"))
                    .put("name", Json.name(function.path("name")))
                    .set("input", ChatParts.input(ChatParts.arguments(function))));
        }
        return envelope(completion, content)
                .setAll(stop(choice, !refusal.isEmpty(), !calls.isEmpty()))
                .set("usage", Usage.ofChat(completion.path("usage")).toMessages());
    }

    static ObjectNode envelope(JsonNode completion, ArrayNode content) {
        ObjectNode message = Json.object()
                .put("id", Json.text(completion.path("id")))
                .put("type", "message")
                .put("role", "assistant")
                .put("model", Json.text(completion.path("model")));
        return message.set("content", content);
    }

    static ObjectNode text(String text) {
        ObjectNode block = Json.typed("text").put("text", text);
        return block.set("citations", block.nullNode());
    }

    /** The fields {@code stop_reason} and {@code stop_sequence}. */
    static ObjectNode stop(JsonNode choice, boolean refused, boolean called) throws BrokenAnswer {
        String reason = StopReasons.toMessages(Json.text(choice.path("finish_reason")), called);
        // An extension of some servers: which of the sequences it was.
        JsonNode sequence = choice.path("stop_reason");
        boolean bySequence = reason.equals("end_turn") && sequence.isString();
        ObjectNode stop = Json.object();
        stop.put("stop_reason", refused ? "refusal" : bySequence ? "stop_sequence" : reason);
        return stop.set("stop_sequence", bySequence ? sequence : stop.nullNode());
    }

    @Override
    public Buffer error(int status, Buffer body) {
        return Errors.toMessages(status, body);
    }

    @Override
    public StreamTranslation stream() {
        return new ChatStream();
    }
}
