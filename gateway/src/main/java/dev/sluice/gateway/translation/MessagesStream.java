package dev.sluice.gateway.translation;

import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The events of a message as chunks of a chat completion. */
final class MessagesStream implements StreamTranslation, SseReader.Events {
    private static final String KEPT_ALIVE = ": ping\n\n";

    private final SseReader reader = new SseReader(this);
    private final boolean includeUsage;
    private final long created;
    private final Map<Integer, Integer> calls = new HashMap<>();
    private Buffer out = Buffer.buffer();
    private String id = "";
    private String model = "";
    private Usage usage = Usage.NONE;
    private boolean done;

    MessagesStream(long created, boolean includeUsage) {
        this.created = created;
        this.includeUsage = includeUsage;
    }

    @Override
    public Buffer chunk(Buffer bytes) throws BrokenAnswer {
        reader.feed(bytes);
        Buffer ready = out;
        out = Buffer.buffer();
        return ready;
    }

    @Override
    public Buffer end() throws BrokenAnswer {
        if (!done) {
            throw new BrokenAnswer("its stream ended before 'message_stop'");
        }
        return Buffer.buffer();
    }

    @Override
    public void comment() {
        out.appendString(KEPT_ALIVE);
    }

    @Override
    public void event(String data) throws BrokenAnswer {
        JsonNode event = Json.event(data);
        String type = Json.text(event.path("type"));
        switch (type) {
            case "message_start" -> started(event.path("message"));
            case "content_block_start" -> block(event.path("index").asInt(0), event.path("content_block"));
            case "content_block_delta" -> delta(event.path("index").asInt(0), event.path("delta"));
            case "message_delta" -> {
                usage = usage.thenMessages(event.path("usage"));
                JsonNode reason = event.path("delta").path("stop_reason");
                if (Json.present(reason)) {
                    choice(Json.object(), StopReasons.toChat(Json.text(reason), !calls.isEmpty()));
                }
            }
            case "message_stop" -> stopped();
            case "content_block_stop" -> {}
            case "ping" -> comment();
            case "error" -> throw Errors.reported(event.path("error"));
            // The API reserves the right to add events, and asks clients to go on; so it is shown, and does no harm.
            default -> out.appendString(": untranslated " + type.replaceAll("[^a-z_]", "") + "\n\n");
        }
    }

    private void started(JsonNode message) {
        id = Json.text(message.path("id"));
        model = Json.text(message.path("model"));
        usage = usage.thenMessages(message.path("usage"));
        choice(Json.object().put("role", "assistant").put("content", ""), "");
    }

    private void block(int index, JsonNode block) throws BrokenAnswer {
        String type = Json.text(block.path("type"));
        switch (type) {
            case "text" -> text("content", block.path("text"));
            case "thinking" -> text("reasoning_content", block.path("thinking"));
            case "tool_use" -> {
                int number = calls.size();
                calls.put(index, number);
                ObjectNode call = Json.object()
                        .put("index", number)
                        .put("id", Json.text(block.path("id")))
                        .put("type", "function");
                call.set(
                        "function",
                        Json.object().put("name", Json.text(block.path("name"))).put("arguments", ""));
                choice(Json.object().set("tool_calls", Json.array().add(call)), "");
            }
            default -> throw new BrokenAnswer("its content of type '" + type + "' has no counterpart");
        }
    }

    private void delta(int index, JsonNode delta) throws BrokenAnswer {
        String type = Json.text(delta.path("type"));
        switch (type) {
            case "text_delta" -> text("content", delta.path("text"));
            case "thinking_delta" -> text("reasoning_content", delta.path("thinking"));
            case "input_json_delta" -> arguments(index, Json.text(delta.path("partial_json")));
            // By it a provider knows its own thoughts again; no other can.
            case "signature_delta" -> {}
            default -> throw new BrokenAnswer("its content of type '" + type + "' has no counterpart");
        }
    }

    private void text(String field, JsonNode text) {
        if (!Json.text(text).isEmpty()) {
            choice(Json.object().set(field, text), "");
        }
    }

    private void arguments(int index, String part) throws BrokenAnswer {
        Integer number = calls.get(index);
        if (number == null) {
            throw new BrokenAnswer("its stream has the input of a tool that was not called");
        }
        if (!part.isEmpty()) {
            ObjectNode call = Json.object().put("index", number);
            call.set("function", Json.object().put("arguments", part));
            choice(Json.object().set("tool_calls", Json.array().add(call)), "");
        }
    }

    private void stopped() {
        done = true;
        if (includeUsage) {
            ObjectNode chunk = chunk();
            chunk.set("choices", Json.array());
            send(chunk.set("usage", usage.toChat()));
        }
        out.appendString("data: [DONE]\n\n");
    }

    private void choice(ObjectNode delta, String finishReason) {
        ObjectNode choice = Json.object().put("index", 0).set("delta", delta);
        choice.set("logprobs", choice.nullNode());
        choice.set("finish_reason", finishReason.isEmpty() ? choice.nullNode() : choice.stringNode(finishReason));
        ObjectNode chunk = chunk();
        chunk.set("choices", Json.array().add(choice));
        send(includeUsage ? chunk.set("usage", chunk.nullNode()) : chunk);
    }

    private ObjectNode chunk() {
        return Json.object()
                .put("id", id)
                .put("object", "chat.completion.chunk")
                .put("created", created)
                .put("model", model);
    }

    private void send(JsonNode chunk) {
        out.appendString("data: ").appendString(Json.write(chunk)).appendString("\n\n");
    }
}
