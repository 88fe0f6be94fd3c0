package dev.sluice.compat;

import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
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
        return result(
                node.ask(order("message", ask).set("more", JsonMapper.shared().valueToTree(more))));
    }

    @Override
    public Result stream(Ask ask) {
        return result(node.ask(order("stream", ask)));
    }

    @Override
    public ToolTalk tools(Ask ask, boolean streamed) {
        JsonNode answer = node.ask(order("tools", ask).put("streamed", streamed));
        return new ToolTalk(
                answer.path("tool").asString(""),
                answer.path("input").path("gate").asString(""),
                answer.path("text").asString(answer.toString()));
    }

    @Override
    public Result countTokens(Ask ask) {
        return result(node.ask(order("countTokens", ask)));
    }

    private ObjectNode order(String what, Ask ask) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("what", what)
                .put("baseURL", baseUrl)
                .put("apiKey", ask.key())
                .put("maxRetries", ask.retries())
                .put("model", ask.model())
                .put("prompt", ask.prompt())
                .put("tokensMax", Ask.TOKENS_MAX);
    }

    private static Result result(JsonNode answer) {
        JsonNode error = answer.path("error");
        return error.isObject()
                ? new Failed(
                        error.path("kind").asString(),
                        error.path("status").asInt(0),
                        "",
                        error.path("type").asString(""),
                        "")
                : new Answered(
                        answer.path("text").asString(),
                        answer.path("pieces").asInt(),
                        answer.path("finish").asString());
    }
}
