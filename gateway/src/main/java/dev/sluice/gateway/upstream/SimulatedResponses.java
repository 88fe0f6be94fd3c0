package dev.sluice.gateway.upstream;

import static dev.sluice.gateway.upstream.SimulatedWire.quote;

import dev.sluice.gateway.upstream.SimulatedTool.Call;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Responses, as OpenAI-compatible servers send them: one message, or calls of functions. */
final class SimulatedResponses implements SimulatedWire {
    private final String key;
    private final long created;
    private final SimulatedRequest request;
    private final String echoed;

    /** @param echoed what of the request is repeated in each response object */
    SimulatedResponses(String key, long created, SimulatedRequest request, String echoed) {
        this.key = key;
        this.created = created;
        this.request = request;
        this.echoed = echoed;
    }

    @Override
    public Buffer whole(SimulatedText text) {
        return Buffer.buffer(ended(text));
    }

    @Override
    public List<Event> stream(SimulatedText text, int tokensPerChunk) {
        var events = new Numbered();
        String begun = response("in_progress", "null", "", "null");
        events.add(0, "response.created", "\"response\":" + begun);
        events.add(0, "response.in_progress", "\"response\":" + begun);
        if (text.calls().isEmpty()) {
            message(events, text, tokensPerChunk);
        }
        for (int i = 0; i < text.calls().size(); i++) {
            call(events, i, text.calls().get(i), tokensPerChunk);
        }
        events.add(0, "response." + status(text), "\"response\":" + ended(text));
        return events.list;
    }

    private void message(Numbered events, SimulatedText text, int tokensPerChunk) {
        String at = "\"item_id\":\"msg_" + key + "\",\"output_index\":0,\"content_index\":0,";
        events.add(0, "response.output_item.added", "\"output_index\":0,\"item\":" + message("in_progress", ""));
        events.add(0, "response.content_part.added", at + "\"part\":" + part(""));
        for (List<String> tokens : SimulatedText.chunks(text.tokens(), tokensPerChunk)) {
            events.add(
                    tokens.size(),
                    "response.output_text.delta",
                    at + "\"delta\":" + quote(String.join("", tokens)) + ",\"logprobs\":[]");
        }
        events.add(0, "response.output_text.done", at + "\"text\":" + quote(text.text()) + ",\"logprobs\":[]");
        events.add(0, "response.content_part.done", at + "\"part\":" + part(text.text()));
        events.add(
                0,
                "response.output_item.done",
                "\"output_index\":0,\"item\":" + message(status(text), part(text.text())));
    }

    private static void call(Numbered events, int index, Call call, int tokensPerChunk) {
        String at = "\"item_id\":\"fc_" + call.key() + "\",\"output_index\":" + index;
        events.add(
                0,
                "response.output_item.added",
                "\"output_index\":" + index + ",\"item\":" + call(call, "in_progress", ""));
        for (List<String> pieces : SimulatedText.chunks(call.arguments(), tokensPerChunk)) {
            events.add(
                    pieces.size(),
                    "response.function_call_arguments.delta",
                    at + ",\"delta\":" + quote(String.join("", pieces)));
        }
        events.add(
                0,
                "response.function_call_arguments.done",
                at + ",\"name\":" + quote(call.name()) + ",\"arguments\":" + quote(call.whole()));
        events.add(
                0,
                "response.output_item.done",
                "\"output_index\":" + index + ",\"item\":" + call(call, "completed", call.whole()));
    }

    private static final class Numbered {
        private final List<Event> list = new ArrayList<>();

        void add(int tokens, String type, String rest) {
            list.add(new Event(
                    tokens,
                    Buffer.buffer("event: " + type + "\ndata: {\"type\":\"" + type + "\",\"sequence_number\":"
                            + list.size() + "," + rest + "}\n\n")));
        }
    }

    private static String status(SimulatedText text) {
        return text.finishReason().equals("length") ? "incomplete" : "completed";
    }

    private String ended(SimulatedText text) {
        boolean cut = text.finishReason().equals("length");
        String output = text.calls().isEmpty()
                ? message(status(text), part(text.text()))
                : String.join(
                        ",",
                        text.calls().stream()
                                .map(call -> call(call, "completed", call.whole()))
                                .toList());
        String usage = "{\"input_tokens\":" + request.promptTokens()
                + ",\"input_tokens_details\":{\"cached_tokens\":0},\"output_tokens\":" + text.generated()
                + ",\"output_tokens_details\":{\"reasoning_tokens\":0},\"total_tokens\":"
                + (request.promptTokens() + text.generated()) + "}";
        return response(status(text), cut ? "{\"reason\":\"max_output_tokens\"}" : "null", output, usage);
    }

    private String response(String status, String incomplete, String output, String usage) {
        return "{\"id\":\"resp_" + key + "\",\"object\":\"response\",\"created_at\":" + created + ",\"status\":\""
                + status + "\",\"background\":false,\"error\":null,\"incomplete_details\":" + incomplete
                + ",\"model\":" + quote(request.model()) + ",\"output\":[" + output + "],\"previous_response_id\":null,"
                + echoed + ",\"store\":false,\"usage\":" + usage + "}";
    }

    private String message(String status, String content) {
        return "{\"id\":\"msg_" + key + "\",\"type\":\"message\",\"status\":\"" + status
                + "\",\"role\":\"assistant\",\"content\":[" + content + "]}";
    }

    private static String part(String text) {
        return "{\"type\":\"output_text\",\"annotations\":[],\"logprobs\":[],\"text\":" + quote(text) + "}";
    }

    private static String call(Call call, String status, String arguments) {
        return "{\"id\":\"fc_" + call.key() + "\",\"type\":\"function_call\",\"status\":\"" + status
                + "\",\"call_id\":\"call_" + call.key() + "\",\"name\":" + quote(call.name()) + ",\"arguments\":"
                + quote(arguments) + "}";
    }
}
