package dev.sluice.gateway.translation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@DisplayName("A request is translated whole, or refused by the name of what cannot be")
final class RequestsTest {
    private static final String CHAT = "/chat/completions";
    private static final String MESSAGES = "/messages";

    private static Translation translate(String path, String body) throws Untranslatable {
        return Translation.of(path, body.getBytes(UTF_8), 0);
    }

    private static JsonNode body(String path, String body) throws Untranslatable {
        return Json.read(translate(path, body).body().getBytes());
    }

    @Test
    void aChatBecomesMessages() throws Untranslatable {
        Translation translation = translate(CHAT, Golden.text("chat-request.json"));

        assertThat(translation.path()).isEqualTo(MESSAGES);
        assertThat(translation.setAside()).isEmpty();
        assertThat(Json.read(translation.body().getBytes())).isEqualTo(Golden.json("chat-request-as-messages.json"));
    }

    @Test
    void messagesBecomeAChat() throws Untranslatable {
        Translation translation = translate(MESSAGES, Golden.text("messages-request.json"));

        assertThat(translation.path()).isEqualTo(CHAT);
        assertThat(translation.setAside()).isEqualTo("cache_control, redacted_thinking, thinking");
        assertThat(Json.read(translation.body().getBytes())).isEqualTo(Golden.json("messages-request-as-chat.json"));
    }

    @Test
    void whatBecameMessagesCanBecomeAChatAndMessagesAgain() throws Untranslatable {
        JsonNode chat = body(MESSAGES, Golden.text("chat-request-as-messages.json"));

        // A single text is the same in either form, and is written as a string.
        String messages = Golden.text("chat-request-as-messages.json")
                .replace("[{\"type\": \"text\", \"text\": \"1 m\"}]", "\"1 m\"");
        assertThat(body(CHAT, Json.write(chat))).isEqualTo(Json.read(messages));
    }

    @Test
    void aChatWithoutALimitGetsTheDefault() throws Untranslatable {
        JsonNode out = body(CHAT, "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}");

        assertThat(out)
                .isEqualTo(Json.read("{\"model\":\"m\",\"max_tokens\":4096,"
                        + "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "auto"                                          | {"type":"auto"}
            "none"                                          | {"type":"none"}
            "required"                                      | {"type":"any"}
            {"type":"function","function":{"name":"f"}}     | {"type":"tool","name":"f"}
            """)
    void whichToolIsCalledMeansTheSameInBothApis(String chat, String messages) throws Untranslatable {
        String asChat = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"tools\":"
                + "[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}],\"tool_choice\":" + chat + "}";
        JsonNode out = body(CHAT, asChat);

        assertThat(out.path("tool_choice")).isEqualTo(Json.read(messages));
        assertThat(body(MESSAGES, Json.write(out)).path("tool_choice")).isEqualTo(Json.read(chat));
    }

    @ParameterizedTest
    @CsvSource({"low", "medium", "high", "xhigh", "max"})
    void howHardTheModelThinksMeansTheSameInBothApis(String effort) throws Untranslatable {
        String hi = "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],";
        JsonNode messages = body(CHAT, hi + "\"reasoning_effort\":\"" + effort + "\"}");
        Translation chat = translate(
                MESSAGES,
                hi + "\"thinking\":{\"type\":\"adaptive\",\"display\":\"summarized\"},\"output_config\":{\"effort\":\""
                        + effort + "\"}}");

        assertThat(messages.path("output_config")).isEqualTo(Json.object().put("effort", effort));
        assertThat(messages.has("thinking")).isFalse();
        assertThat(Json.read(chat.body().getBytes()).path("reasoning_effort").asString())
                .isEqualTo(effort);
        assertThat(chat.setAside()).isEmpty();
    }

    @Test
    void noEffortIsThinkingDisabled() throws Untranslatable {
        JsonNode out = body(
                CHAT,
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"reasoning_effort\":\"none\"}");

        assertThat(out.path("thinking")).isEqualTo(Json.typed("disabled"));
        assertThat(out.has("output_config")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "seed":7                                              | seed
            "n":2                                                 | n
            "presence_penalty":0.5                                | presence_penalty
            "frequency_penalty":-1                                | frequency_penalty
            "logit_bias":{"1":2}                                  | logit_bias
            "logprobs":true                                       | logprobs
            "top_logprobs":2                                      | top_logprobs
            "temperature":1.5                                     | temperature
            "store":true                                          | store
            "metadata":{"a":"b"}                                  | metadata
            "service_tier":"flex"                                 | service_tier
            "modalities":["text","audio"]                         | modalities
            "audio":{"voice":"x"}                                 | audio
            "prediction":{"type":"content"}                       | prediction
            "web_search_options":{}                               | web_search_options
            "verbosity":"low"                                     | verbosity
            "reasoning_effort":"minimal"                          | reasoning_effort
            "functions":[{"name":"f"}]                            | functions
            "function_call":"auto"                                | function_call
            "prompt_cache_key":"k"                                | prompt_cache_key
            "safety_identifier":"s"                               | safety_identifier
            "ignore_eos":true                                     | ignore_eos
            "odd":1                                               | odd
            "stream_options":{"include_obfuscation":true}         | stream_options.include_obfuscation
            "response_format":{"type":"json_object"}              | response_format.type
            "response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{},"description":"d"}} | response_format.json_schema.description
            "response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{},"strict":false}}    | response_format.json_schema.strict
            "tools":[{"type":"custom","custom":{"name":"f"}}]     | tools[0].type
            "tools":[{"type":"function","function":{"name":"f","odd":1}}] | tools[0].function.odd
            "tool_choice":"required"                              | tool_choice
            "tool_choice":{"type":"allowed_tools"}                | tool_choice
            """)
    void aFieldOfAChatWithoutACounterpartIsRefusedByName(String field, String param) {
        refused(CHAT, "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]," + field + "}", param);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"role":"user","content":"hi","name":"bob"}                                             | .name
            {"role":"function","content":"hi","name":"f"}                                           | .role
            {"role":"user","content":[{"type":"input_audio","input_audio":{}}]}                     | .content[0].type
            {"role":"user","content":[{"type":"text","text":"a"},{"type":"file","file":{"file_id":"f"}}]} | .content[1].file.file_id
            {"role":"user","content":[{"type":"file","file":{"file_data":"data:text/plain;base64,YQ=="}}]} | .content[0].file.file_data
            {"role":"user","content":[{"type":"file","file":{"file_data":"data:application/pdf;base64,YQ==","file_id":"f"}}]} | .content[0].file.file_id
            {"role":"tool","tool_call_id":"1","content":[{"type":"file","file":{}}]}                | .content[0].type
            {"role":"user","content":[{"type":"image_url","image_url":{"url":"ftp://a/b"}}]}        | .content[0].image_url.url
            {"role":"user","content":[{"type":"image_url","image_url":{"url":"http://a","detail":"high"}}]} | .content[0].image_url.detail
            {"role":"system","content":[{"type":"image_url","image_url":{"url":"http://a"}}]}       | .content[0].type
            {"role":"assistant","content":"a","refusal":"no"}                                       | .refusal
            {"role":"assistant","content":"a","audio":{"id":"x"}}                                   | .audio
            {"role":"assistant","content":"a","function_call":{"name":"f","arguments":"{}"}}        | .function_call
            {"role":"assistant","content":"a","reasoning_content":"hm"}                             | .reasoning_content
            {"role":"assistant","content":"a","annotations":[{}]}                                   | .annotations
            {"role":"assistant","tool_calls":[{"id":"1","type":"custom","custom":{}}]}              | .tool_calls[0].type
            {"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"[1]"}}]}  | .tool_calls[0].function.arguments
            {"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{oops"}}]} | .tool_calls[0].function.arguments
            {"role":"tool","tool_call_id":"1","content":[{"type":"image_url","image_url":{"url":"http://a"}}]} | .content[0].type
            """)
    void aPartOfAConversationWithoutACounterpartIsRefusedByItsPlace(String turn, String param) {
        refused(
                CHAT,
                "{\"model\":\"m\",\"messages\":[" + turn + ",{\"role\":\"user\",\"content\":\"hi\"}]}",
                "messages[0]" + param);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "top_k":5                                                   | top_k
            "thinking":{"type":"enabled","budget_tokens":1024}          | thinking.type
            "thinking":{"type":"between_tools"}                         | thinking.type
            "thinking":{"type":"adaptive","display":"omitted"}          | thinking.display
            "service_tier":"standard_only"                              | service_tier
            "container":"c"                                             | container
            "mcp_servers":[]                                            | mcp_servers
            "context_management":{}                                     | context_management
            "inference_geo":"eu"                                        | inference_geo
            "speed":"fast"                                              | speed
            "metadata":{"user_id":"u","odd":1}                          | metadata.odd
            "output_config":{"effort":"minimal"}                        | output_config.effort
            "output_config":{"odd":1}                                   | output_config.odd
            "tools":[{"type":"web_search_20250305","name":"web_search"}] | tools[0].type
            "tools":[{"name":"f","input_schema":{},"input_examples":[]}] | tools[0].input_examples
            "tools":[{"name":"f","input_schema":{},"defer_loading":true}] | tools[0].defer_loading
            "tool_choice":{"type":"any"}                                | tool_choice.type
            "system":[{"type":"image","source":{}}]                     | system[0].type
            "odd":1                                                     | odd
            """)
    void aFieldOfMessagesWithoutACounterpartIsRefusedByName(String field, String param) {
        refused(
                MESSAGES,
                "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]," + field
                        + "}",
                param);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"}}]} | .content[0].source.type
            {"role":"user","content":[{"type":"document","source":{"type":"url","url":"https://a/b"}}]} | .content[0].source.type
            {"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"text/plain","data":"YQ=="}}]} | .content[0].source.media_type
            {"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"YQ=="},"context":"c"}]} | .content[0].context
            {"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"YQ=="},"citations":{"enabled":true}}]} | .content[0].citations.enabled
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"document","source":{}}]}]} | .content[0].content[0].type
            {"role":"user","content":[{"type":"search_result"}]}                                      | .content[0].type
            {"role":"user","content":[{"type":"image","source":{"type":"file","file_id":"f"}}]}       | .content[0].source.type
            {"role":"user","content":[{"type":"text","text":"a","citations":[{}]}]}                   | .content[0].citations
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"image","source":{}}]}]} | .content[0].content[0].type
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"1","odd":1}]}              | .content[0].odd
            {"role":"assistant","content":[{"type":"redacted_thinking","data":"x","odd":1}]}          | .content[0].odd
            {"role":"assistant","content":[{"type":"server_tool_use","id":"1"}]}                      | .content[0].type
            {"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{}},{"type":"text","text":"a"}]} | .content[1].type
            {"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{},"caller":{"type":"code"}}]} | .content[0].caller
            """)
    void aBlockWithoutACounterpartIsRefusedByItsPlace(String turn, String param) {
        refused(
                MESSAGES,
                "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[" + turn + ",{\"role\":\"user\",\"content\":\"hi\"}]}",
                "messages[0]" + param);
    }

    @ParameterizedTest
    @CsvSource({"/chat/completions", "/messages"})
    void anAnswerThatIsAlreadyBegunIsRefused(String path) {
        refused(
                path,
                "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"a\"},"
                        + "{\"role\":\"assistant\",\"content\":\"b\"}]}",
                "messages[1].role");
    }

    @ParameterizedTest
    @CsvSource({"/completions", "/embeddings", "/messages/count_tokens"})
    void whatTheOtherApiDoesNotHaveIsRefused(String path) {
        refused(path, "{\"model\":\"m\"}", "model");
    }

    @Test
    void aRefusalIsToldInTheShapeOfTheClientsApi() throws Untranslatable {
        Untranslatable refusal = refused(CHAT, "{\"model\":\"m\",\"messages\":[],\"seed\":1}", "seed");

        assertThat(Translation.refused(CHAT, refusal).toString())
                .contains("\"param\":\"seed\"", "\"code\":\"invalid_request\"");
        assertThat(Translation.refused(MESSAGES, refusal).toString())
                .startsWith("{\"type\":\"error\",\"error\":{")
                .contains("\"invalid_request_error\"", "'seed'");
    }

    private static Untranslatable refused(String path, String body, String param) {
        Untranslatable refusal = catchThrowableOfType(Untranslatable.class, () -> translate(path, body));

        assertThat(refusal).as("refusal of " + body).isNotNull();
        assertThat(refusal.param()).isEqualTo(param);
        assertThat(refusal.reason()).isNotBlank();
        assertThat(Translation.refusal(path, body.getBytes(UTF_8))).isPresent();
        return refusal;
    }
}
