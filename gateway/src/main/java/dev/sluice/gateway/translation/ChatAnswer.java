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
        JsonNode choice = completion.path("choices").path(0);
        JsonNode message = choice.path("message");
        if (!message.isObject()) {
            throw new BrokenAnswer("it is no chat completion");
        }
        ArrayNode content = Json.array();
        String thoughts = thoughts(message);
        if (!thoughts.isEmpty()) {
            content.add(Json.typed("thinking").put("thinking", thoughts).put("signature", ""));
        }
        String text = Json.text(message.path("content"));
        String refusal = Json.text(message.path("refusal"));
        if (!text.isEmpty() || !refusal.isEmpty()) {
            content.add(text(text + refusal));
        }
        for (JsonNode call : message.path("tool_calls")) {
            JsonNode function = call.path("function");
            content.add(Json.typed("tool_use")
                    .put("id", Json.text(call.path("id")))
                    .put("name", Json.text(function.path("name")))
                    .set("input", input(Json.text(function.path("arguments")))));
        }
        return envelope(completion, content)
                .setAll(stop(choice, !refusal.isEmpty()))
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

    /** Many servers of open models tell their thoughts, by one of two names; the API itself has none. */
    static String thoughts(JsonNode message) {
        String content = Json.text(message.path("reasoning_content"));
        return content.isEmpty() ? Json.text(message.path("reasoning")) : content;
    }

    /** The fields {@code stop_reason} and {@code stop_sequence}. */
    static ObjectNode stop(JsonNode choice, boolean refused) throws BrokenAnswer {
        String reason = StopReasons.toMessages(Json.text(choice.path("finish_reason")));
        // An extension of some servers: which of the sequences it was.
        JsonNode sequence = choice.path("stop_reason");
        boolean bySequence = reason.equals("end_turn") && sequence.isString();
        ObjectNode stop = Json.object();
        stop.put("stop_reason", refused ? "refusal" : bySequence ? "stop_sequence" : reason);
        return stop.set("stop_sequence", bySequence ? sequence : stop.nullNode());
    }

    private static JsonNode input(String arguments) throws BrokenAnswer {
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

    @Override
    public Buffer error(int status, Buffer body) {
        return Errors.toMessages(status, body);
    }

    @Override
    public StreamTranslation stream() {
        return new ChatStream();
    }
}
