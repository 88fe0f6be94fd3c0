package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.exchange;
import static dev.sluice.gateway.RawClient.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Completions and embeddings take the path of chat completions")
final class OtherOpenAiApisTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /completions | { "prompt" : [[1, 2.0e1], [3]], "x":{"model":"chat"}, "model" : %s }
            /embeddings  | {"input":"\\u00e9","model":%s,"encoding_format":"base64","odd":[1e3]}
            """)
    void onlyTheModelIsRewritten(String path, String template) throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{\"id\":1}"));
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 2, "{limit: 2}"))) {
            Answer answer = exchange(
                    gateway.port(), post("/v1" + path, RunningGateway.KEY, template.formatted("\"chat\""), ""));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"id\":1}");
            RawUpstream.Call seen = upstream.calls().getFirst();
            assertThat(seen.head()).startsWith("POST /v1" + path + " HTTP/1.1\r\n");
            assertThat(seen.body()).isEqualTo(template.formatted("\"served/name\""));
            gateway.awaitIdle();
        }
    }

    @Test
    void aCompletionStreamsThroughWithoutATouch() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk("data: {\"choices\":[]}\n\ndata: [DONE]\n\n");
                    call.lastChunk();
                });
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 2, "{limit: 2}"))) {
            Answer answer = exchange(
                    gateway.port(),
                    post(
                            "/v1/completions",
                            RunningGateway.KEY,
                            "{\"model\":\"chat\",\"prompt\":\"a\",\"stream\":true}",
                            ""));

            assertThat(answer.header("content-type")).isEqualTo("text/event-stream");
            assertThat(answer.body()).isEqualTo("data: {\"choices\":[]}\n\ndata: [DONE]\n\n");
            gateway.awaitIdle();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /v1/completions | {"model":"chat"}                                | prompt
            /v1/completions | {"model":"chat","prompt":null}                  | prompt
            /v1/completions | {"model":"chat","prompt":7}                     | prompt
            /v1/completions | {"model":"chat","prompt":"a","max_tokens":"x"}  | max_tokens
            /v1/completions | {"prompt":"a"}                                  | model
            /v1/embeddings  | {"model":"chat"}                                | input
            /v1/embeddings  | {"model":"chat","input":{}}                     | input
            /v1/embeddings  | {"model":"chat","input":"a","dimensions":1.5}   | dimensions
            """)
    void whatNoUpstreamTakesIsRefusedByName(String path, String body, String param) throws IOException {
        try (RunningGateway gateway =
                RunningGateway.start(RunningGateway.oneProvider("http://127.0.0.1:9/v1", 2, "{limit: 2}"))) {
            Answer answer = exchange(gateway.port(), post(path, RunningGateway.KEY, body, ""));

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("\"code\":\"invalid_request\"", "\"param\":\"" + param + "\"");
            gateway.awaitIdle();
        }
    }
}
