package dev.sluice.gateway.upstream;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import tools.jackson.core.io.JsonStringEncoder;

/** The bytes of simulated answers, as OpenAI-compatible servers send them. */
final class SimulatedWire {
    static final Buffer DONE = Buffer.buffer("data: [DONE]\n\n");

    private final String id;
    private final long created;
    private final SimulatedRequest request;
    private final String model;

    SimulatedWire(String id, long created, SimulatedRequest request) {
        this.id = id;
        this.created = created;
        this.request = request;
        this.model = quote(request.model());
    }

    Buffer whole(SimulatedText text) {
        return Buffer.buffer("{\"id\":\"" + id + "\",\"object\":\"chat.completion\",\"created\":" + created
                + ",\"model\":" + model + ",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":"
                + quote(text.text()) + ",\"refusal\":null},\"logprobs\":null,\"finish_reason\":\""
                + text.finishReason() + "\"}],\"usage\":" + usage(text) + "}");
    }

    Buffer role() {
        return choice("{\"role\":\"assistant\",\"content\":\"\"}", "null");
    }

    Buffer tokens(List<String> tokens) {
        return choice("{\"content\":" + quote(String.join("", tokens)) + "}", "null");
    }

    Buffer finish(SimulatedText text) {
        return choice("{}", "\"" + text.finishReason() + "\"");
    }

    Buffer usageChunk(SimulatedText text) {
        return Buffer.buffer(start() + ",\"choices\":[],\"usage\":" + usage(text) + "}\n\n");
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

    static Buffer error(String type, String param, String code, String message) {
        return Buffer.buffer("{\"error\":{\"message\":" + quote(message) + ",\"type\":\"" + type + "\",\"param\":"
                + (param.isEmpty() ? "null" : quote(param)) + ",\"code\":" + (code.isEmpty() ? "null" : quote(code))
                + "}}");
    }

    private static String quote(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsCharArray(text)) + "\"";
    }
}
