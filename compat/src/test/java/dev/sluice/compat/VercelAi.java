package dev.sluice.compat;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** npm {@code ai} with {@code @ai-sdk/openai}, in a process of its own. */
final class VercelAi extends NodeClient {
    VercelAi(NodeProcess node, String baseUrl) {
        super(node, baseUrl);
    }

    List<Float> embedding(Ask ask) {
        return node().ask(order("embedding", ask))
                .path("embedding")
                .valueStream()
                .map(JsonNode::floatValue)
                .toList();
    }
}
