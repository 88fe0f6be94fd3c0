package dev.sluice.compat;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** npm {@code openai}, in a process of its own. */
final class OpenAiNode extends NodeClient implements OpenAiClient {
    OpenAiNode(NodeProcess node, String baseUrl) {
        super(node, baseUrl);
    }

    @Override
    public Result completion(Ask ask) {
        return node().result(order("completion", ask));
    }

    @Override
    public Result completionStream(Ask ask) {
        return node().result(order("completionStream", ask));
    }

    @Override
    public List<Float> embedding(Ask ask, int dimensions, String format) {
        JsonNode answer =
                node().ask(order("embedding", ask).put("dimensions", dimensions).put("format", format));
        return answer.path("embedding").valueStream().map(JsonNode::floatValue).toList();
    }

    @Override
    public List<String> models(String key) {
        JsonNode answer = node().ask(order("models", Ask.of(key, "")));
        return answer.path("models").valueStream().map(JsonNode::asString).toList();
    }
}
