package dev.sluice.gateway.translation;

import io.vertx.core.buffer.Buffer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The chunks of a chat completion as events of a message. */
final class ChatStream implements StreamTranslation, SseReader.Events {
    private static final String DONE = "[DONE]";
    private static final int NONE = -1;

    private final SseReader reader = new SseReader(this);
    private Buffer out = Buffer.buffer();
    private boolean started;
    private boolean stopped;
    private boolean refused;
    private ObjectNode stop = Json.object();
    private Usage usage = Usage.NONE;
    /** The type of the block that is open, empty if none is. */
    private String open = "";

    private int blocks;
    private int call = NONE;
    private String callId = "";
    private String callName = "";

    @Override
    public Buffer chunk(Buffer bytes) throws BrokenAnswer {
        reader.feed(bytes);
        Buffer ready = out;
        out = Buffer.buffer();
        return ready;
    }

    @Override
    public Buffer end() throws BrokenAnswer {
        // Some servers leave the last mark out.
        finish();
        return out;
    }

    @Override
    public void comment() {
        if (!stopped) {
            send(Json.typed("ping"));
        }
    }

    @Override
    public void event(String data) throws BrokenAnswer {
        if (stopped) {
            return;
        }
        if (data.strip().equals(DONE)) {
            finish();
            return;
        }
        JsonNode chunk = Json.event(data);
        if (chunk.path("error").isObject()) {
            throw Errors.reported(chunk.path("error"));
        }
        if (!started) {
            start(chunk);
        }
        if (chunk.path("usage").isObject()) {
            usage = Usage.ofChat(chunk.path("usage"));
        }
        if (Json.present(chunk.path("choices")) && !chunk.path("choices").isArray()) {
            throw new BrokenAnswer("its 'choices' are no list");
        }
        for (JsonNode choice : chunk.path("choices")) {
            if (!choice.isObject() || !isObjectIfPresent(choice.path("delta"))) {
                throw new BrokenAnswer("a choice of its stream is no object");
            }
            if (choice.path("index").asInt(0) != 0) {
                throw new BrokenAnswer("it has more than one choice");
            }
            delta(choice.path("delta"));
            if (Json.present(choice.path("finish_reason"))) {
                stop = ChatAnswer.stop(choice, refused, call != NONE);
            }
        }
    }

    private static boolean isObjectIfPresent(JsonNode value) {
        return value.isObject() || !Json.present(value);
    }

    private void start(JsonNode chunk) {
        started = true;
        ObjectNode message = ChatAnswer.envelope(chunk, Json.array());
        message.set("stop_reason", message.nullNode());
        message.set("stop_sequence", message.nullNode());
        message.set("usage", usage.toMessages());
        send(Json.typed("message_start").set("message", message));
        send(Json.typed("ping"));
    }

    private void delta(JsonNode delta) throws BrokenAnswer {
        ChatParts.check(delta);
        String thoughts = ChatParts.thoughts(delta);
        if (!thoughts.isEmpty()) {
            into("thinking", Json.typed("thinking").put("thinking", "").put("signature", ""));
            part(Json.typed("thinking_delta").put("thinking", thoughts));
        }
        String refusal = Json.string(delta.path("refusal"), "refusal");
        refused |= !refusal.isEmpty();
        String text = ChatParts.text(delta.path("content")) + refusal;
        if (!text.isEmpty()) {
            into("text", ChatAnswer.text(""));
            part(Json.typed("text_delta").put("text", text));
        }
        for (JsonNode part : ChatParts.calls(delta)) {
            call(part);
        }
    }

    private void call(JsonNode part) throws BrokenAnswer {
        int index = part.path("index").asInt(0);
        JsonNode function = part.path("function");
        String id = Json.string(part.path("id"), "id");
        String name = Json.string(function.path("name"), "name");
        // Some servers do not number their calls; and some give each piece of a call another id, but its name once.
        boolean another = index == call && !name.isEmpty() && !id.isEmpty() && !id.equals(callId);
        if (index > call || another) {
            call = index;
            callId = id;
            callName = Json.name(function.path("name"));
            close();
            ObjectNode block = Json.typed("tool_use").put("id", id).put("name", callName);
            into("tool_use", block.set("input", Json.object()));
        } else if (!name.isEmpty() && (index != call || !name.equals(callName))) {
            // The block that names the tool was sent: the rest of its name would get lost.
            throw new BrokenAnswer("the name of a tool comes in pieces");
        }
        String arguments = ChatParts.arguments(function);
        if (!arguments.isEmpty()) {
            if (index != call || !open.equals("tool_use")) {
                throw new BrokenAnswer("the arguments of several tools are mixed");
            }
            part(Json.typed("input_json_delta").put("partial_json", arguments));
        }
    }

    private void into(String type, ObjectNode block) {
        if (!open.equals(type)) {
            close();
            open = type;
            ObjectNode event = Json.typed("content_block_start").put("index", blocks);
            send(event.set("content_block", block));
        }
    }

    private void part(ObjectNode delta) {
        ObjectNode event = Json.typed("content_block_delta").put("index", blocks);
        send(event.set("delta", delta));
    }

    private void close() {
        if (!open.isEmpty()) {
            open = "";
            send(Json.typed("content_block_stop").put("index", blocks++));
        }
    }

    private void finish() throws BrokenAnswer {
        if (stopped) {
            return;
        }
        if (stop.isEmpty()) {
            throw new BrokenAnswer("its stream ended without a finish reason");
        }
        stopped = true;
        close();
        ObjectNode event = Json.typed("message_delta").set("delta", stop);
        send(event.set("usage", usage.toMessages()));
        send(Json.typed("message_stop"));
    }

    private void send(ObjectNode event) {
        out.appendString("event: " + Json.text(event.path("type")) + "\ndata: ")
                .appendBytes(Json.bytes(event))
                .appendString("\n\n");
    }
}
