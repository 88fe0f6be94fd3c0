package dev.sluice.gateway.translation;

import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The events of a message as chunks of a chat completion. */
final class MessagesStream implements StreamTranslation, SseReader.Events {
    private static final String KEPT_ALIVE = ": ping\n\n";

    private final SseReader reader = new SseReader(this);
    private final boolean includeUsage;
    private final long created;
    /** By the index of its block. */
    private final Map<Integer, Call> calls = new LinkedHashMap<>();

    private Buffer out = Buffer.buffer();
    private String id = "";
    private String model = "";
    private Usage usage = Usage.NONE;
    private boolean reasoned;
    private boolean done;

    /** A tool that is called; its input comes with the beginning of its block, or behind it in pieces. */
    private static final class Call {
        private final int number;
        private String first;

        Call(int number, String first) {
            this.number = number;
            this.first = first;
        }
    }

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
        if (!done) {
            out.appendString(KEPT_ALIVE);
        }
    }

    @Override
    public void event(String data) throws BrokenAnswer {
        if (done) {
            return;
        }
        JsonNode event = Json.event(data);
        String type = Json.text(event.path("type"));
        switch (type) {
            case "message_start" -> started(event.path("message"));
            case "content_block_start" -> block(event.path("index").asInt(0), event.path("content_block"));
            case "content_block_delta" -> delta(event.path("index").asInt(0), event.path("delta"));
            case "message_delta" ->
                ends(event.path("usage"), event.path("delta").path("stop_reason"));
            case "message_stop" -> stopped();
            case "content_block_stop" -> complete(calls.get(event.path("index").asInt(0)));
            case "ping" -> comment();
            case "error" -> throw Errors.reported(event.path("error"));
            // The API reserves the right to add events, and asks clients to go on.
            default -> leftOut(type);
        }
    }

    /** Shown as a comment, which does no harm. */
    private void leftOut(String name) {
        out.appendString(": untranslated " + name.replaceAll("[^a-z_]", "") + "\n\n");
    }

    private void started(JsonNode message) throws BrokenAnswer {
        if (!message.path("content").isEmpty()
                || !Json.text(message.path("content")).isEmpty()) {
            throw new BrokenAnswer("its stream has content outside of blocks");
        }
        id = Json.text(message.path("id"));
        model = Json.text(message.path("model"));
        usage = usage.thenMessages(message.path("usage"));
        choice(Json.object().put("role", "assistant").put("content", ""), "");
    }

    private void block(int index, JsonNode block) throws BrokenAnswer {
        String type = Json.text(block.path("type"));
        switch (type) {
            case "text" -> text("content", MessagesAnswer.text(block));
            // Only the provider that had these thoughts can read them: the answer is worth more than a failure.
            case "redacted_thinking" -> leftOut(type);
            case "thinking" -> text("reasoning_content", Json.string(block.path("thinking"), "thinking"));
            case "tool_use" -> {
                int number = calls.size();
                if (calls.put(index, new Call(number, MessagesAnswer.input(block))) != null) {
                    throw new BrokenAnswer("two blocks of its stream have one index");
                }
                ObjectNode call = Json.object()
                        .put("index", number)
                        .put("id", Json.text(block.path("id")))
                        .put("type", "function");
                call.set(
                        "function",
                        Json.object().put("name", Json.name(block.path("name"))).put("arguments", ""));
                choice(Json.object().set("tool_calls", Json.array().add(call)), "");
            }
            default -> throw new BrokenAnswer("its content of type '" + type + "' has no counterpart");
        }
    }

    private void delta(int index, JsonNode delta) throws BrokenAnswer {
        String type = Json.text(delta.path("type"));
        switch (type) {
            case "text_delta" -> text("content", Json.required(delta.path("text"), "text"));
            case "thinking_delta" -> text("reasoning_content", Json.required(delta.path("thinking"), "thinking"));
            case "input_json_delta" -> arguments(index, Json.required(delta.path("partial_json"), "partial_json"));
            // By it a provider knows its own thoughts again; no other can.
            case "signature_delta" -> {}
            default -> throw new BrokenAnswer("its content of type '" + type + "' has no counterpart");
        }
    }

    private void text(String field, String text) {
        if (!text.isEmpty()) {
            choice(Json.object().put(field, text), "");
        }
    }

    private void arguments(int index, String part) throws BrokenAnswer {
        Call call = calls.get(index);
        if (call == null) {
            throw new BrokenAnswer("its stream has the input of a tool that was not called");
        }
        if (!part.isEmpty()) {
            call.first = "";
            arguments(call, part);
        }
    }

    private void arguments(Call call, String part) {
        ObjectNode piece = Json.object().put("index", call.number);
        piece.set("function", Json.object().put("arguments", part));
        choice(Json.object().set("tool_calls", Json.array().add(piece)), "");
    }

    /** If nothing of its input came in pieces, it is what the block began with, or none: a client parses it as JSON. */
    private void complete(@Nullable Call call) {
        if (call != null && !call.first.isEmpty()) {
            arguments(call, call.first);
            call.first = "";
        }
    }

    private void ends(JsonNode used, JsonNode reason) throws BrokenAnswer {
        usage = usage.thenMessages(used);
        if (Json.present(reason)) {
            calls.values().forEach(this::complete);
            choice(Json.object(), StopReasons.toChat(Json.text(reason), !calls.isEmpty()));
            reasoned = true;
        }
    }

    private void stopped() throws BrokenAnswer {
        if (!reasoned) {
            throw new BrokenAnswer("its stream ended without a stop reason");
        }
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
        out.appendString("data: ").appendBytes(Json.bytes(chunk)).appendString("\n\n");
    }
}
