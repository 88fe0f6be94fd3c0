package dev.sluice.compat;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** npm {@code openai}, in a process of its own. */
final class BatchingNode implements BatchingClient {
    private final NodeProcess node;
    private final String baseUrl;

    BatchingNode(NodeProcess node, String baseUrl) {
        this.node = node;
        this.baseUrl = baseUrl;
    }

    private JsonNode ask(String what, String key, String content) {
        return node.ask(NodeProcess.order(what, baseUrl, Ask.of(key, "").prompt(content)));
    }

    @Override
    public Ended run(String key, String lines) {
        return ended(ask("batch", key, lines));
    }

    @Override
    public Ended cancelled(String key, String lines) {
        return ended(ask("cancelledBatch", key, lines));
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
        JsonNode answer = ask("deletedFile", key, content);
        return answer.path("error").path("status").asInt(answer.path("status").asInt(0));
    }
}
