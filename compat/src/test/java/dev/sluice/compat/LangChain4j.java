package dev.sluice.compat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.LangChain4jException;
import dev.langchain4j.model.catalog.ModelDescription;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiModelCatalog;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code dev.langchain4j:langchain4j-open-ai}. */
final class LangChain4j implements Client {
    private static final JsonObjectSchema GATES = JsonObjectSchema.builder()
            .addEnumProperty(ToolTalk.FIELD, List.of("upper", "lower"))
            .required(ToolTalk.FIELD)
            .additionalProperties(false)
            .build();

    private final String baseUrl;

    LangChain4j(String baseUrl) {
        this.baseUrl = baseUrl;
    }

    @Override
    public Result chat(Ask ask) {
        OpenAiChatModel model = model(ask).build();
        try {
            return answered(model.chat(request(ask)), 1);
        } catch (LangChain4jException e) {
            return failed(e);
        }
    }

    private OpenAiChatModel.OpenAiChatModelBuilder model(Ask ask) {
        return OpenAiChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey(ask.key())
                .modelName(ask.model())
                .maxCompletionTokens(Ask.TOKENS_MAX)
                .customParameters(extra(ask))
                .customHeaders(ask.headers())
                .maxRetries(ask.retries())
                .timeout(ask.patience());
    }

    @Override
    public Result stream(Ask ask) {
        OpenAiStreamingChatModel model = OpenAiStreamingChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey(ask.key())
                .modelName(ask.model())
                .maxCompletionTokens(Ask.TOKENS_MAX)
                .customParameters(extra(ask))
                .customHeaders(ask.headers())
                .timeout(ask.patience())
                .build();
        CompletableFuture<Result> result = new CompletableFuture<>();
        model.chat(request(ask), new StreamingChatResponseHandler() {
            private final AtomicInteger pieces = new AtomicInteger();

            @Override
            public void onPartialResponse(String text) {
                pieces.incrementAndGet();
            }

            @Override
            public void onCompleteResponse(ChatResponse response) {
                result.complete(answered(response, pieces.get()));
            }

            @Override
            public void onError(Throwable error) {
                result.complete(failed(error));
            }
        });
        return result.join();
    }

    @Override
    public ToolTalk tools(Ask ask) {
        OpenAiChatModel model =
                model(ask).maxCompletionTokens(ToolTalk.TOKENS_MAX).build();
        ToolSpecification level = ToolSpecification.builder()
                .name(ToolTalk.TOOL)
                .description(ToolTalk.ABOUT)
                .parameters(GATES)
                .build();
        UserMessage question = UserMessage.from(ask.prompt());
        AiMessage asked = model.chat(ChatRequest.builder()
                        .messages(question)
                        .toolSpecifications(level)
                        .build())
                .aiMessage();
        ToolExecutionRequest call = asked.toolExecutionRequests().getFirst();
        ChatResponse answer = model.chat(ChatRequest.builder()
                .messages(question, asked, ToolExecutionResultMessage.from(call, ToolTalk.RESULT))
                .toolSpecifications(level)
                .build());
        return new ToolTalk(
                call.name(), gate(call.arguments()), answer.aiMessage().text());
    }

    @Override
    public String structured(Ask ask) {
        OpenAiChatModel model = model(ask)
                .maxCompletionTokens(ToolTalk.TOKENS_MAX)
                .strictJsonSchema(true)
                .build();
        ChatRequest request = ChatRequest.builder()
                .messages(UserMessage.from(ask.prompt()))
                .responseFormat(ResponseFormat.builder()
                        .type(ResponseFormatType.JSON)
                        .jsonSchema(JsonSchema.builder()
                                .name(ToolTalk.TOOL)
                                .rootElement(GATES)
                                .build())
                        .build())
                .build();
        return gate(model.chat(request).aiMessage().text());
    }

    private static String gate(String json) {
        return JsonMapper.shared().readTree(json).path(ToolTalk.FIELD).asString("");
    }

    List<Float> embedding(Ask ask) {
        return OpenAiEmbeddingModel.builder()
                .baseUrl(baseUrl)
                .apiKey(ask.key())
                .modelName(ask.model())
                .timeout(ask.patience())
                .build()
                .embed(ask.prompt())
                .content()
                .vectorAsList();
    }

    List<String> models(String key) {
        return OpenAiModelCatalog.builder().baseUrl(baseUrl).apiKey(key).build().listModels().stream()
                .map(ModelDescription::name)
                .toList();
    }

    private static Map<String, Object> extra(Ask ask) {
        return ask.wrongStop() ? Map.of("stop", 7) : Map.of();
    }

    private static ChatRequest request(Ask ask) {
        return ChatRequest.builder().messages(UserMessage.from(ask.prompt())).build();
    }

    private static Result answered(ChatResponse response, int pieces) {
        return new Answered(
                response.aiMessage().text(),
                pieces,
                response.finishReason().name().toLowerCase(Locale.ROOT));
    }

    /** Its exceptions are chosen by the status; the gateway's code is in the body, which is their message. */
    private static Result failed(Throwable error) {
        String kind = error.getClass().getSimpleName();
        return Stream.iterate(error, cause -> cause != null, Throwable::getCause)
                .filter(HttpException.class::isInstance)
                .map(HttpException.class::cast)
                .findFirst()
                .<Result>map(http -> {
                    JsonNode body =
                            JsonMapper.shared().readTree(http.getMessage()).path("error");
                    return new Failed(
                            kind,
                            http.statusCode(),
                            body.path("code").asString(""),
                            body.path("type").asString(""),
                            body.path("param").asString(""));
                })
                .orElseGet(() -> new Failed(kind, 0, "", "", ""));
    }
}
