package dev.sluice.compat;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** npm {@code openai}, in a process of its own. */
final class OpenAiNodeResponses implements ResponsesClient {
    private final NodeProcess node;
    private final String baseUrl;
    private final String key;

    OpenAiNodeResponses(NodeProcess node, String baseUrl, String key) {
        this.node = node;
        this.baseUrl = baseUrl;
        this.key = key;
    }

    private ObjectNode order(String what) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("what", what)
                .put("baseURL", baseUrl)
                .put("apiKey", key);
    }

    private ObjectNode order(String what, String id) {
        return order(what).put("id", id);
    }

    private ObjectNode order(String what, Order order) {
        ObjectNode fields = JsonMapper.shared().createObjectNode().put("max_output_tokens", order.tokensMax());
        if (order.background()) {
            fields.put("background", true);
        }
        if (!order.store()) {
            fields.put("store", false);
        }
        if (!order.previous().isEmpty()) {
            fields.put("previous_response_id", order.previous());
        }
        ObjectNode json = order(what).put("input", order.input());
        json.set("fields", fields);
        return json;
    }

    private JsonNode ask(ObjectNode order) {
        JsonNode answer = node.ask(order);
        JsonNode error = answer.path("error");
        if (error.isObject()) {
            throw new Refused(new Result.Failed(
                    error.path("kind").asString(),
                    error.path("status").asInt(0),
                    error.path("code").asString(""),
                    error.path("type").asString(""),
                    error.path("param").asString("")));
        }
        return answer;
    }

    private static Made made(JsonNode answer) {
        return new Made(
                answer.path("id").asString(),
                answer.path("status").asString(),
                answer.path("text").asString());
    }

    private static List<Event> events(JsonNode answer) {
        return answer.path("events")
                .valueStream()
                .map(event -> new Event(
                        event.path("type").asString(),
                        event.path("number").asLong(-1),
                        event.path("id").asString(),
                        event.path("status").asString(),
                        event.path("delta").asString()))
                .toList();
    }

    @Override
    public Made create(Order order) {
        return made(ask(order("create", order)));
    }

    @Override
    public List<Event> stream(Order order, int most) {
        return events(ask(order("stream", order).put("most", most)));
    }

    @Override
    public Made retrieve(String id) {
        return made(ask(order("retrieve", id)));
    }

    @Override
    public List<Event> resume(String id, long after) {
        return events(ask(order("resume", id).put("after", after)));
    }

    @Override
    public Made cancel(String id) {
        return made(ask(order("cancel", id)));
    }

    @Override
    public void delete(String id) {
        ask(order("remove", id));
    }

    @Override
    public List<String> inputTexts(String id) {
        return ask(order("items", id))
                .path("texts")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }
}
