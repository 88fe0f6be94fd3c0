package dev.sluice.compat;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** npm {@code openai}, in a process of its own. */
final class OpenAiNode implements OpenAiClient {
    private final NodeProcess node;
    private final String baseUrl;

    OpenAiNode(NodeProcess node, String baseUrl) {
        this.node = node;
        this.baseUrl = baseUrl;
    }

    @Override
    public Result chat(Ask ask) {
        return node.result(order("chat", ask));
    }

    @Override
    public Result stream(Ask ask) {
        return node.result(order("stream", ask));
    }

    @Override
    public ToolTalk tools(Ask ask) {
        return NodeProcess.toolTalk(node.ask(order("tools", ask)));
    }

    @Override
    public String structured(Ask ask) {
        return node.ask(order("structured", ask)).path(ToolTalk.FIELD).asString("");
    }

    @Override
    public Result completion(Ask ask) {
        return node.result(order("completion", ask));
    }

    @Override
    public Result completionStream(Ask ask) {
        return node.result(order("completionStream", ask));
    }

    @Override
    public List<Float> embedding(Ask ask, int dimensions, String format) {
        JsonNode answer =
                node.ask(order("embedding", ask).put("dimensions", dimensions).put("format", format));
        return answer.path("embedding").valueStream().map(JsonNode::floatValue).toList();
    }

    @Override
    public List<String> models(String key) {
        JsonNode answer = node.ask(order("models", Ask.of(key, "")));
        return answer.path("models").valueStream().map(JsonNode::asString).toList();
    }

    private ObjectNode order(String what, Ask ask) {
        return NodeProcess.order(what, baseUrl, ask).put("wrongStop", ask.wrongStop());
    }
}
