package dev.sluice.compat;

import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
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
        return result(node.ask(order("chat", ask)));
    }

    @Override
    public Result stream(Ask ask) {
        return result(node.ask(order("stream", ask)));
    }

    @Override
    public Result completion(Ask ask) {
        return result(node.ask(order("completion", ask)));
    }

    @Override
    public Result completionStream(Ask ask) {
        return result(node.ask(order("completionStream", ask)));
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
        return JsonMapper.shared()
                .createObjectNode()
                .put("what", what)
                .put("baseURL", baseUrl)
                .put("apiKey", ask.key())
                .put("maxRetries", ask.retries())
                .put("model", ask.model())
                .put("prompt", ask.prompt())
                .put("tokensMax", Ask.TOKENS_MAX)
                .put("wrongStop", ask.wrongStop());
    }

    private static Result result(JsonNode answer) {
        JsonNode error = answer.path("error");
        return error.isObject()
                ? new Failed(
                        error.path("kind").asString(),
                        error.path("status").asInt(0),
                        error.path("code").asString(""),
                        error.path("type").asString(""),
                        error.path("param").asString(""))
                : new Answered(
                        answer.path("text").asString(),
                        answer.path("pieces").asInt(),
                        answer.path("finish").asString());
    }
}
