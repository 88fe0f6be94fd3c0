package dev.sluice.gateway.upstream;

import static dev.sluice.gateway.upstream.SimulatedWire.quote;

import dev.sluice.gateway.upstream.SimulatedTool.Call;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Chat completions, as OpenAI-compatible servers send them. */
final class SimulatedChat implements SimulatedWire {
    static final Buffer DONE = Buffer.buffer("data: [DONE]\n\n");

    private final String id;
    private final long created;
    private final SimulatedRequest request;
    private final String model;

    SimulatedChat(String key, long created, SimulatedRequest request) {
        this.id = "chatcmpl-" + key;
        this.created = created;
        this.request = request;
        this.model = quote(request.model());
    }

    @Override
    public Buffer whole(SimulatedText text) {
        String calls = IntStream.range(0, text.calls().size())
                .mapToObj(i -> call(i, text.calls().get(i), text.calls().get(i).whole(), false))
                .collect(Collectors.joining(","));
        String content = calls.isEmpty()
                ? quote(text.text()) + ",\"refusal\":null"
                : "null,\"refusal\":null,\"tool_calls\":[" + calls + "]";
        return Buffer.buffer("{\"id\":\"" + id + "\",\"object\":\"chat.completion\",\"created\":" + created
                + ",\"model\":" + model + ",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":"
                + content + "},\"logprobs\":null,\"finish_reason\":\"" + text.finishReason() + "\"}],\"usage\":"
                + usage(text) + "}");
    }

    @Override
    public List<Event> stream(SimulatedText text, int tokensPerChunk) {
        List<Event> events = new ArrayList<>();
        boolean calls = !text.calls().isEmpty();
        events.add(new Event(0, choice("{\"role\":\"assistant\",\"content\":" + (calls ? "null}" : "\"\"}"), "null")));
        for (List<String> tokens : SimulatedText.chunks(text.tokens(), tokensPerChunk)) {
            events.add(new Event(
                    tokens.size(), choice("{\"content\":" + quote(String.join("", tokens)) + "}", "null")));
        }
        for (int i = 0; i < text.calls().size(); i++) {
            Call call = text.calls().get(i);
            events.add(new Event(0, delta(call(i, call, "", true))));
            for (List<String> pieces : SimulatedText.chunks(call.arguments(), tokensPerChunk)) {
                events.add(new Event(
                        pieces.size(),
                        delta("{\"index\":" + i + ",\"function\":{\"arguments\":" + quote(String.join("", pieces))
                                + "}}")));
            }
        }
        Buffer tail = Buffer.buffer().appendBuffer(choice("{}", "\"" + text.finishReason() + "\""));
        if (request.includeUsage()) {
            tail.appendString(start() + ",\"choices\":[],\"usage\":" + usage(text) + "}\n\n");
        }
        events.add(new Event(0, tail.appendBuffer(DONE)));
        return events;
    }

    private static String call(int index, Call call, String arguments, boolean streamed) {
        return "{" + (streamed ? "\"index\":" + index + "," : "") + "\"id\":\"call_" + call.key()
                + "\",\"type\":\"function\",\"function\":{\"name\":" + quote(call.name()) + ",\"arguments\":"
                + quote(arguments) + "}}";
    }

    private Buffer delta(String call) {
        return choice("{\"tool_calls\":[" + call + "]}", "null");
    }

    private Buffer choice(String delta, String finishReason) {
        return Buffer.buffer(start() + ",\"choices\":[{\"index\":0,\"delta\":" + delta
                + ",\"logprobs\":null,\"finish_reason\":" + finishReason + "}]"
                + (request.includeUsage() ? ",\"usage\":null" : "") + "}\n\n");
    }

    private String start() {
        return "data: {\"id\":\"" + id + "\",\"object\":\"chat.completion.chunk\",\"created\":" + created
                + ",\"model\":" + model;
    }

    private String usage(SimulatedText text) {
        int sum = request.promptTokens() + text.generated();
        return "{\"prompt_tokens\":" + request.promptTokens() + ",\"completion_tokens\":" + text.generated()
                + ",\"total_tokens\":" + sum + "}";
    }
}
