package dev.sluice.gateway.upstream;

import static dev.sluice.gateway.upstream.SimulatedWire.quote;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Completions of a prompt, as OpenAI-compatible servers send them. */
final class SimulatedCompletion implements SimulatedWire {
    private final String start;
    private final SimulatedRequest request;

    SimulatedCompletion(String key, long created, SimulatedRequest request) {
        this.start = "{\"id\":\"cmpl-" + key + "\",\"object\":\"text_completion\",\"created\":" + created
                + ",\"model\":" + quote(request.model());
        this.request = request;
    }

    @Override
    public Buffer whole(SimulatedText text) {
        return Buffer.buffer(
                start + choice(text.text(), quote(text.finishReason())) + ",\"usage\":" + usage(text) + "}");
    }

    @Override
    public List<Event> stream(SimulatedText text, int tokensPerChunk) {
        String noUsage = request.includeUsage() ? ",\"usage\":null}" : "}";
        List<Event> events = new ArrayList<>();
        for (List<String> tokens : SimulatedText.chunks(text.tokens(), tokensPerChunk)) {
            events.add(new Event(tokens.size(), event(choice(String.join("", tokens), "null") + noUsage)));
        }
        Buffer tail = Buffer.buffer().appendBuffer(event(choice("", quote(text.finishReason())) + noUsage));
        if (request.includeUsage()) {
            tail.appendBuffer(event(",\"choices\":[],\"usage\":" + usage(text) + "}"));
        }
        events.add(new Event(0, tail.appendBuffer(SimulatedChat.DONE)));
        return events;
    }

    private Buffer event(String rest) {
        return Buffer.buffer("data: " + start + rest + "\n\n");
    }

    private static String choice(String text, String finishReason) {
        return ",\"choices\":[{\"index\":0,\"text\":" + quote(text) + ",\"logprobs\":null,\"finish_reason\":"
                + finishReason + "}]";
    }

    private String usage(SimulatedText text) {
        int sum = request.promptTokens() + text.generated();
        return "{\"prompt_tokens\":" + request.promptTokens() + ",\"completion_tokens\":" + text.generated()
                + ",\"total_tokens\":" + sum + "}";
    }
}
