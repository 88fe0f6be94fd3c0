package dev.sluice.compat;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** npm {@code openai}, in a process of its own. */
final class BatchingNode implements BatchingClient {
    private final NodeProcess node;
    private final String baseUrl;

    BatchingNode(NodeProcess node, String baseUrl) {
        this.node = node;
        this.baseUrl = baseUrl;
    }

    private ObjectNode order(String what, String key, String content) {
        return NodeProcess.order(what, baseUrl, Ask.of(key, "").prompt(content));
    }

    @Override
    public Ended run(String key, String endpoint, String lines) {
        return ended(node.ask(order("batch", key, lines).put("endpoint", endpoint)));
    }

    @Override
    public Ended cancelled(String key, String endpoint, String lines) {
        return ended(node.ask(order("cancelledBatch", key, lines).put("endpoint", endpoint)));
    }

    private static Ended ended(JsonNode answer) {
        return new Ended(
                answer.path("status").asString(),
                answer.path("total").asLong(),
                answer.path("completed").asLong(),
                texts(answer.path("faults")),
                texts(answer.path("results")));
    }

    private static List<String> texts(JsonNode list) {
        Stream<JsonNode> items = list.valueStream();
        return items.map(JsonNode::asString).toList();
    }

    @Override
    public int deletedFile(String key, String content) {
        JsonNode answer = node.ask(order("deletedFile", key, content));
        return answer.path("error").path("status").asInt(answer.path("status").asInt(0));
    }
}
