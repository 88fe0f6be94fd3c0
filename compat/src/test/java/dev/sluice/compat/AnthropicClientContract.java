package dev.sluice.compat;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What Anthropic's clients must show their users, on a provider of their API and on one that is translated. */
abstract class AnthropicClientContract extends ClientContract<MessagesClient> implements ListsModels {
    @Override
    String baseUrl(int port) {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public Result ask(Ask ask, int port) {
        return connect(port).message(ask, Map.of());
    }

    @Override
    public Failed refused(int status, String type, String code) {
        return new Failed(exceptionFor(status), status, "", typeOf(status), "");
    }

    @Override
    public List<String> models(String key) {
        return client().models(key);
    }

    @Test
    void aModelIsShownAndOneThatIsNotThereIsTheClientsOwnException() {
        assertThat(answered(client().model(Ask.of(Group.OPEN.key(), "chat"))).text())
                .isEqualTo("chat");
        assertThat(client().model(Ask.of(Group.OPEN.key(), "nobody")))
                .isEqualTo(new Failed(exceptionFor(404), 404, "", "not_found_error", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-anthropic", "on-openai"})
    void aMessageIsAnswered(String model) {
        Answered answer = answered(client().message(Ask.of(Group.EITHER.key(), model), Map.of()));

        assertThat(answer.text()).isNotBlank();
        assertThat(answer.finish()).isEqualTo("max_tokens");
        assertThat(tap().requests()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-anthropic", "on-openai"})
    void aStreamArrivesInPieces(String model) {
        Answered answer = answered(client().stream(Ask.of(Group.EITHER.key(), model)));

        assertThat(answer.text()).isNotBlank();
        assertThat(answer.pieces()).isBetween(2, Ask.TOKENS_MAX);
        assertThat(answer.finish()).isEqualTo("max_tokens");
        assertThat(tap().answered()).contains("event: message_stop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-anthropic", "on-openai"})
    void aToolIsCalledAndItsResultAnswered(String model) {
        Ask ask = Ask.of(Group.EITHER.key(), model);

        for (boolean streamed : new boolean[] {false, true}) {
            ToolTalk talk = client().tools(ask, streamed);

            assertThat(talk.tool()).as("streamed: " + streamed).isEqualTo("level");
            assertThat(talk.input()).isIn("upper", "lower");
            assertThat(talk.text()).isNotBlank();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-anthropic", "on-openai"})
    void anAnswerHasTheShapeThatWasAskedFor(String model) {
        Map<String, Object> gate = Map.of(
                "type",
                "object",
                "properties",
                Map.of("gate", Map.of("enum", List.of("upper", "lower"))),
                "required",
                List.of("gate"),
                "additionalProperties",
                false);
        Map<String, Object> shape = Map.of("format", Map.of("type", "json_schema", "schema", gate), "effort", "low");

        Answered answer = answered(client().message(Ask.of(Group.EITHER.key(), model), Map.of("output_config", shape)));

        assertThat(JsonMapper.shared().readTree(answer.text()).path("gate").asString())
                .isIn("upper", "lower");
    }

    @Test
    void aModelMayThinkAsItLikesAndWhoSetsABudgetIsToldThatItCannotBe() {
        Ask ask = Ask.of(Group.EITHER.key(), "on-openai");

        answered(client().message(ask, Map.of("thinking", Map.of("type", "adaptive"))));
        assertThat(client().message(ask, Map.of("thinking", Map.of("type", "enabled", "budget_tokens", 1024))))
                .isEqualTo(new Failed(exceptionFor(400), 400, "", "invalid_request_error", ""));
        assertThat(tap().answered()).contains("'thinking.type' cannot be translated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-anthropic", "on-openai"})
    void aQueuedStreamIsPingedAndThenAnswered(String model) {
        CompletableFuture<Result> stream;
        try (Holders holders = gateway().hold(Group.NARROW, 1, 0)) {
            stream = CompletableFuture.supplyAsync(
                            () -> client().stream(Ask.of(Group.NARROW.key(), model)),
                            task -> Thread.ofVirtual().name("client").start(task))
                    .orTimeout(30, SECONDS);
            await("a ping").atMost(10, SECONDS).until(() -> tap().answered().contains("event: ping\ndata: "));
            assertThat(stream).as("while " + holders + " hold the place").isNotDone();
            assertThat(tap().answered()).doesNotContain("message_start");
        }

        Answered answer = answered(stream.join());
        assertThat(answer.text()).isNotBlank();
        assertThat(answer.pieces()).isBetween(2, Ask.TOKENS_MAX);
    }

    @Test
    void tokensAreCountedByAProviderThatCan() {
        Answered count = answered(client().countTokens(Ask.of(Group.EITHER.key(), "on-anthropic")));

        assertThat(Integer.parseInt(count.text())).isPositive();
        assertThat(client().countTokens(Ask.of(Group.EITHER.key(), "on-openai")))
                .isEqualTo(new Failed(exceptionFor(400), 400, "", "invalid_request_error", ""));
    }

    @Test
    void whatCannotBeTranslatedIsRefusedByNameAndPassesWhereItNeedNot() {
        Map<String, Object> topK = Map.of("top_k", 5);

        assertThat(client().message(Ask.of(Group.EITHER.key(), "on-openai"), topK))
                .isEqualTo(new Failed(exceptionFor(400), 400, "", "invalid_request_error", ""));
        assertThat(tap().answered()).contains("'top_k' cannot be translated");
        answered(client().message(Ask.of(Group.EITHER.key(), "on-anthropic"), topK));
    }

    @ParameterizedTest(name = "{0} is the client''s own exception")
    @EnumSource
    void aRefusal(Refusal refusal) {
        Map<String, Object> more =
                refusal == Refusal.INVALID_REQUEST ? Map.of("stop_sequences", 7) : Map.<String, Object>of();
        try (Holders holders = refusal.arrange(gateway())) {
            assertThat(client().message(refusal.ask(), more))
                    .as("with " + holders)
                    .isEqualTo(new Failed(exceptionFor(status(refusal)), status(refusal), "", type(refusal), ""));
        }
        assertThat(tap().requests()).isEqualTo(1);
        if (refusal.saysWhenToRetry()) {
            assertThat(tap().answered()).containsPattern("\nretry-after: ([1-9]|[1-5][0-9]|60)\r\n");
        }
    }

    private static int status(Refusal refusal) {
        return switch (refusal) {
            case QUEUE_TIMEOUT -> 429; // the group's own limit
            case NO_CAPACITY -> 529;
            default -> refusal.status();
        };
    }

    private static String type(Refusal refusal) {
        return typeOf(status(refusal));
    }

    private static String typeOf(int status) {
        return switch (status) {
            case 400, 422, 431 -> "invalid_request_error";
            case 401 -> "authentication_error";
            case 403 -> "permission_error";
            case 404 -> "not_found_error";
            case 409 -> "conflict_error";
            case 413 -> "request_too_large";
            case 429 -> "rate_limit_error";
            case 529 -> "overloaded_error";
            default -> "api_error";
        };
    }

    @Test
    void aStreamThatWaitsTooLongFailsAndIsNeverTakenForComplete() {
        try (Holders holders = gateway().hold(Group.IMPATIENT, 1, 0)) {
            assertThat(client().stream(Ask.of(Group.IMPATIENT.key(), "on-anthropic")))
                    .as("with " + holders)
                    .isEqualTo(timeoutWithinAStream());
        }
        assertThat(tap().answered()).contains("HTTP/1.1 200 OK", "event: ping", "event: error");
    }

    @Test
    void theClientsOwnRetryOvercomesARefusalThatPasses() {
        CompletableFuture<Result> message;
        try (Holders holders = gateway().hold(Group.UNQUEUED, 1, 0)) {
            message = CompletableFuture.supplyAsync(
                            () -> client().message(
                                            Ask.of(Group.UNQUEUED.key(), "on-anthropic")
                                                    .retries(2),
                                            Map.of()),
                            task -> Thread.ofVirtual().name("client").start(task))
                    .orTimeout(30, SECONDS);
            await("a refusal by " + holders)
                    .atMost(10, SECONDS)
                    .until(() -> tap().answered().contains("rate_limit_error"));
        }

        assertThat(answered(message.join()).text()).isNotBlank();
        assertThat(tap().requests()).isBetween(2L, 3L);
    }
}
