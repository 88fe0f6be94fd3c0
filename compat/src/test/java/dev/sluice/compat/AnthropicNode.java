package dev.sluice.compat;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** npm {@code @anthropic-ai/sdk}, in a process of its own. */
final class AnthropicNode implements MessagesClient {
    private final NodeProcess node;
    private final String baseUrl;

    AnthropicNode(NodeProcess node, String baseUrl) {
        this.node = node;
        this.baseUrl = baseUrl;
    }

    @Override
    public Result message(Ask ask, Map<String, Object> more) {
        return node.result(order("message", ask).set("more", JsonMapper.shared().valueToTree(more)));
    }

    @Override
    public Result stream(Ask ask) {
        return node.result(order("stream", ask));
    }

    @Override
    public ToolTalk tools(Ask ask, boolean streamed) {
        return NodeProcess.toolTalk(node.ask(order("tools", ask).put("streamed", streamed)));
    }

    @Override
    public Result countTokens(Ask ask) {
        return node.result(order("countTokens", ask));
    }

    @Override
    public List<String> models(String key) {
        JsonNode answer = node.ask(order("models", Ask.of(key, "")));
        return answer.path("models").valueStream().map(JsonNode::asString).toList();
    }

    @Override
    public Result model(Ask ask) {
        return node.result(order("model", ask));
    }

    private ObjectNode order(String what, Ask ask) {
        return NodeProcess.order(what, baseUrl, ask);
    }
}
