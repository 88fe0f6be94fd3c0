package dev.sluice.compat;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.errors.AnthropicException;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.ErrorType;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageContentParam;
import com.anthropic.models.messages.MessageCountTokensParams;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.TextBlock;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.anthropic.models.messages.ToolUseBlock;
import com.anthropic.models.models.ModelInfo;
import com.anthropic.models.models.ModelListParams;
import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@code com.anthropic:anthropic-java}. */
final class AnthropicJava implements MessagesClient {
    private static final int TOOL_TOKENS = 200;

    private final String baseUrl;

    AnthropicJava(String baseUrl) {
        this.baseUrl = baseUrl;
    }

    @Override
    public Result message(Ask ask, Map<String, Object> more) {
        return call(ask, client -> {
            MessageCreateParams.Builder parameters = parameters(ask);
            more.forEach((name, value) -> parameters.putAdditionalBodyProperty(name, JsonValue.from(value)));
            Message message = client.messages().create(parameters.build());
            return new Answered(
                    text(message), 1, message.stopReason().orElseThrow().asString());
        });
    }

    @Override
    public Result stream(Ask ask) {
        return call(ask, client -> {
            List<String> pieces = new ArrayList<>();
            var finish = new AtomicReference<>("");
            try (StreamResponse<RawMessageStreamEvent> stream =
                    client.messages().createStreaming(parameters(ask).build())) {
                stream.stream().forEach(event -> {
                    event.contentBlockDelta()
                            .flatMap(delta -> delta.delta().text())
                            .ifPresent(delta -> pieces.add(delta.text()));
                    event.messageDelta()
                            .flatMap(delta -> delta.delta().stopReason())
                            .ifPresent(reason -> finish.set(reason.asString()));
                });
            }
            return new Answered(String.join("", pieces), pieces.size(), finish.get());
        });
    }

    @Override
    public ToolTalk tools(Ask ask, boolean streamed) {
        AnthropicClient client = client(ask);
        try {
            MessageCreateParams.Builder talk = parameters(ask)
                    .maxTokens(TOOL_TOKENS)
                    .system("Use the tool.")
                    .addTool(Tool.builder()
                            .name("level")
                            .description("Reads the level before a gate")
                            .inputSchema(Tool.InputSchema.builder()
                                    .properties(Tool.InputSchema.Properties.builder()
                                            .putAdditionalProperty(
                                                    "gate", JsonValue.from(Map.of("enum", List.of("upper", "lower"))))
                                            .build())
                                    .build())
                            .build());
            Message asked = answer(client, talk.build(), streamed);
            ToolUseBlock call = asked.content().stream()
                    .flatMap(block -> block.toolUse().stream())
                    .findFirst()
                    .orElseThrow();
            ContentBlockParam result = ContentBlockParam.ofToolResult(ToolResultBlockParam.builder()
                    .toolUseId(call.id())
                    .content("3 m")
                    .build());
            talk.addMessage(asked).addUserMessage(MessageContentParam.ofContentBlockParams(List.of(result)));
            return new ToolTalk(
                    call.name(),
                    String.valueOf(call._input().convert(Map.class).get("gate")),
                    text(answer(client, talk.build(), streamed)));
        } finally {
            client.close();
        }
    }

    private static Message answer(AnthropicClient client, MessageCreateParams parameters, boolean streamed) {
        if (!streamed) {
            return client.messages().create(parameters);
        }
        MessageAccumulator whole = MessageAccumulator.create();
        try (StreamResponse<RawMessageStreamEvent> stream = client.messages().createStreaming(parameters)) {
            stream.stream().forEach(whole::accumulate);
        }
        return whole.message();
    }

    @Override
    public Result countTokens(Ask ask) {
        return call(ask, client -> {
            long tokens = client.messages()
                    .countTokens(MessageCountTokensParams.builder()
                            .model(ask.model())
                            .addUserMessage(ask.prompt())
                            .build())
                    .inputTokens();
            return new Answered(Long.toString(tokens), 1, "");
        });
    }

    @Override
    public List<String> models(String key) {
        AnthropicClient client = client(Ask.of(key, ""));
        try {
            return client.models().list(ModelListParams.builder().limit(2).build()).autoPager().stream()
                    .map(model -> model.validate().id())
                    .toList();
        } finally {
            client.close();
        }
    }

    @Override
    public Result model(Ask ask) {
        return call(ask, client -> {
            ModelInfo model = client.models().retrieve(ask.model()).validate();
            return new Answered(model.id(), 1, "");
        });
    }

    private Result call(Ask ask, Function<AnthropicClient, Result> use) {
        AnthropicClient client = client(ask);
        try {
            return use.apply(client);
        } catch (AnthropicServiceException e) {
            // Of the types, request_too_large is in no list of the client, and comes as it is all the same.
            String type = e.type().map(ErrorType::asString).orElse("");
            return new Failed(e.getClass().getSimpleName(), e.statusCode(), "", type, "");
        } catch (AnthropicException e) {
            return new Failed(e.getClass().getSimpleName(), 0, "", "", "");
        } finally {
            client.close();
        }
    }

    private AnthropicClient client(Ask ask) {
        AnthropicOkHttpClient.Builder builder = AnthropicOkHttpClient.builder()
                .baseUrl(baseUrl)
                .apiKey(ask.key())
                .maxRetries(ask.retries())
                .timeout(ask.patience());
        ask.headers().forEach(builder::putHeader);
        return builder.build();
    }

    private static MessageCreateParams.Builder parameters(Ask ask) {
        return MessageCreateParams.builder()
                .model(ask.model())
                .addUserMessage(ask.prompt())
                .maxTokens(Ask.TOKENS_MAX);
    }

    private static String text(Message message) {
        return message.content().stream()
                .flatMap(block -> block.text().stream())
                .map(TextBlock::text)
                .collect(Collectors.joining());
    }
}
