package dev.sluice.compat;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.ResponseFormatJsonSchema;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionFunctionTool;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Tools and structured output by {@code com.openai:openai-java}. */
final class OpenAiJavaShapes {
    private static final Map<String, Object> GATES = Map.of(
            "type",
            "object",
            "properties",
            Map.of(ToolTalk.FIELD, Map.of("enum", List.of("upper", "lower"))),
            "required",
            List.of(ToolTalk.FIELD),
            "additionalProperties",
            false);

    private OpenAiJavaShapes() {}

    static ToolTalk tools(OpenAIClient client, ChatCompletionCreateParams.Builder talk) {
        FunctionParameters.Builder parameters = FunctionParameters.builder();
        GATES.forEach((name, value) -> parameters.putAdditionalProperty(name, JsonValue.from(value)));
        talk.maxCompletionTokens(ToolTalk.TOKENS_MAX)
                .addTool(ChatCompletionFunctionTool.builder()
                        .function(FunctionDefinition.builder()
                                .name(ToolTalk.TOOL)
                                .description(ToolTalk.ABOUT)
                                .parameters(parameters.build())
                                .build())
                        .build());
        ChatCompletionMessage asked = message(client, talk);
        ChatCompletionMessageFunctionToolCall call =
                asked.toolCalls().orElseThrow().getFirst().asFunction();
        talk.addMessage(asked)
                .addMessage(ChatCompletionToolMessageParam.builder()
                        .toolCallId(call.id())
                        .content(ToolTalk.RESULT)
                        .build());
        return new ToolTalk(
                call.function().name(),
                gate(call.function().arguments()),
                message(client, talk).content().orElseThrow());
    }

    static String structured(OpenAIClient client, ChatCompletionCreateParams.Builder talk) {
        ResponseFormatJsonSchema.JsonSchema.Schema.Builder schema =
                ResponseFormatJsonSchema.JsonSchema.Schema.builder();
        GATES.forEach((name, value) -> schema.putAdditionalProperty(name, JsonValue.from(value)));
        talk.maxCompletionTokens(ToolTalk.TOKENS_MAX)
                .responseFormat(ResponseFormatJsonSchema.builder()
                        .jsonSchema(ResponseFormatJsonSchema.JsonSchema.builder()
                                .name(ToolTalk.TOOL)
                                .strict(true)
                                .schema(schema.build())
                                .build())
                        .build());
        return gate(message(client, talk).content().orElseThrow());
    }

    private static ChatCompletionMessage message(OpenAIClient client, ChatCompletionCreateParams.Builder talk) {
        return client.chat()
                .completions()
                .create(talk.build())
                .choices()
                .getFirst()
                .message();
    }

    private static String gate(String json) {
        return JsonMapper.shared().readTree(json).path(ToolTalk.FIELD).asString("");
    }
}
