package dev.sluice.compat;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** npm {@code ai} with {@code @ai-sdk/openai}, in a process of its own. */
final class VercelAi extends NodeClient {
    private final String api;

    /** @param api that it speaks: {@code chat} or {@code responses} */
    VercelAi(NodeProcess node, String baseUrl, String api) {
        super(node, baseUrl);
        this.api = api;
    }

    @Override
    ObjectNode order(String what, Ask ask) {
        return super.order(what, ask).put("api", api);
    }

    /**
     * Two turns of one conversation.
     *
     * @param text the first answer
     * @param id of the second
     * @param sent the body of the second request
     */
    record Talk(String text, String id, String sent) {}

    Talk talk(Ask ask) {
        JsonNode answer = node().ask(order("talk", ask));
        return new Talk(
                answer.path("text").asString(answer.toString()),
                answer.path("id").asString(""),
                answer.path("sent").asString(""));
    }

    List<Float> embedding(Ask ask) {
        return node().ask(order("embedding", ask))
                .path("embedding")
                .valueStream()
                .map(JsonNode::floatValue)
                .toList();
    }
}
