package dev.sluice.compat;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** npm {@code ai} with {@code @ai-sdk/openai}, in a process of its own. */
final class VercelAi implements Client {
    private final NodeProcess node;
    private final String baseUrl;

    VercelAi(NodeProcess node, String baseUrl) {
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

    List<Float> embedding(Ask ask) {
        return node.ask(order("embedding", ask))
                .path("embedding")
                .valueStream()
                .map(JsonNode::floatValue)
                .toList();
    }

    private ObjectNode order(String what, Ask ask) {
        return NodeProcess.order(what, baseUrl, ask).put("wrongStop", ask.wrongStop());
    }
}
