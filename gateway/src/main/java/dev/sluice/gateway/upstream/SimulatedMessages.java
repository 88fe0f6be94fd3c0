package dev.sluice.gateway.upstream;

import static dev.sluice.gateway.upstream.SimulatedWire.quote;

import dev.sluice.gateway.upstream.SimulatedTool.Call;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Messages, as Anthropic's API sends them. */
final class SimulatedMessages implements SimulatedWire {
    private static final String THOUGHTS = "Water first, then the gate.";
    private static final String SIGNATURE = "c2ltdWxhdGVk";

    private final SimulatedRequest request;
    private final String start;

    SimulatedMessages(String key, SimulatedRequest request) {
        this.request = request;
        this.start = "{\"id\":\"msg_" + key + "\",\"type\":\"message\",\"role\":\"assistant\",\"model\":"
                + quote(request.model()) + ",\"content\":[";
    }

    @Override
    public Buffer whole(SimulatedText text) {
        List<String> blocks = new ArrayList<>();
        if (request.thinks()) {
            blocks.add("{\"type\":\"thinking\",\"thinking\":\"" + THOUGHTS + "\",\"signature\":\"" + SIGNATURE + "\"}");
        }
        if (text.calls().isEmpty()) {
            blocks.add("{\"type\":\"text\",\"text\":" + quote(text.text()) + "}");
        }
        text.calls().forEach(call -> blocks.add(tool(call, call.whole())));
        return Buffer.buffer(start + String.join(",", blocks) + "],\"stop_reason\":\"" + stopReason(text)
                + "\",\"stop_sequence\":" + stopSequence(text) + ",\"usage\":" + usage(text.generated()) + "}");
    }

    @Override
    public List<Event> stream(SimulatedText text, int tokensPerChunk) {
        List<Event> events = new ArrayList<>();
        events.add(event(
                "message_start",
                ",\"message\":" + start + "],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":" + usage(1) + "}"));
        int index = 0;
        if (request.thinks()) {
            block(
                    events,
                    index++,
                    "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}",
                    List.of(
                            new Event(0, delta(0, "{\"type\":\"thinking_delta\",\"thinking\":\"" + THOUGHTS + "\"}")),
                            new Event(
                                    0,
                                    delta(0, "{\"type\":\"signature_delta\",\"signature\":\"" + SIGNATURE + "\"}"))));
        }
        if (text.calls().isEmpty()) {
            block(
                    events,
                    index,
                    "{\"type\":\"text\",\"text\":\"\"}",
                    deltas(
                            index,
                            text.tokens(),
                            tokensPerChunk,
                            part -> "{\"type\":\"text_delta\",\"text\":" + part + "}"));
        }
        for (Call call : text.calls()) {
            block(
                    events,
                    index,
                    tool(call, "{}"),
                    deltas(
                            index,
                            call.arguments(),
                            tokensPerChunk,
                            part -> "{\"type\":\"input_json_delta\",\"partial_json\":" + part + "}"));
            index++;
        }
        events.add(event(
                "message_delta",
                ",\"delta\":{\"stop_reason\":\"" + stopReason(text) + "\",\"stop_sequence\":" + stopSequence(text)
                        + "},\"usage\":{\"output_tokens\":" + text.generated() + "}"));
        events.add(event("message_stop", ""));
        return events;
    }

    private static void block(List<Event> events, int index, String block, List<Event> deltas) {
        events.add(event("content_block_start", ",\"index\":" + index + ",\"content_block\":" + block));
        if (index == 0) {
            events.add(event("ping", ""));
        }
        events.addAll(deltas);
        events.add(event("content_block_stop", ",\"index\":" + index));
    }

    private static List<Event> deltas(
            int index, List<String> tokens, int tokensPerChunk, Function<String, String> delta) {
        return SimulatedText.chunks(tokens, tokensPerChunk).stream()
                .map(chunk -> new Event(chunk.size(), delta(index, delta.apply(quote(String.join("", chunk))))))
                .toList();
    }

    private static Buffer delta(int index, String delta) {
        return event("content_block_delta", ",\"index\":" + index + ",\"delta\":" + delta)
                .bytes();
    }

    private static Event event(String name, String rest) {
        return new Event(0, Buffer.buffer("event: " + name + "\ndata: {\"type\":\"" + name + "\"" + rest + "}\n\n"));
    }

    private static String tool(Call call, String input) {
        return "{\"type\":\"tool_use\",\"id\":\"toolu_" + call.key() + "\",\"name\":" + quote(call.name())
                + ",\"input\":" + input + "}";
    }

    private static String stopReason(SimulatedText text) {
        return switch (text.finishReason()) {
            case "length" -> "max_tokens";
            case "tool_calls" -> "tool_use";
            default -> text.stoppedBy().isPresent() ? "stop_sequence" : "end_turn";
        };
    }

    private static String stopSequence(SimulatedText text) {
        return text.stoppedBy().map(SimulatedWire::quote).orElse("null");
    }

    private String usage(int generated) {
        return "{\"input_tokens\":" + request.promptTokens() + ",\"cache_creation_input_tokens\":0"
                + ",\"cache_read_input_tokens\":0,\"output_tokens\":" + generated + "}";
    }
}
