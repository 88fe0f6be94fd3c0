package dev.sluice.compat;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.compat.Result.Answered;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every official client must show its user; a subclass names the client and its exceptions. */
abstract class OfficialClientContract<C extends Client> extends OpenAiShapeContract<C> {
    @Override
    String endOfStream() {
        return "data: [DONE]";
    }

    @Test
    void aChatIsAnswered() {
        Answered answer = answered(client().chat(Ask.of(Group.OPEN.key(), "chat")));

        assertThat(answer.text()).isNotBlank();
        assertThat(answer.finish()).isEqualTo("length");
        assertThat(tap().requests()).isEqualTo(1);
    }

    @Test
    void aQueuedStreamIsToldItsPositionAndThenAnswered() {
        answered(client().chat(Ask.of(Group.NARROW.key(), "chat")));
        CompletableFuture<Result> stream;
        try (Holders holders = gateway().hold(Group.NARROW, 1, 0)) {
            stream = start(() -> client().stream(Ask.of(Group.NARROW.key(), "chat")));
            await("a position with an expected time")
                    .atMost(10, SECONDS)
                    .until(() -> tap().answered().matches("(?s).*\n: queued position=1 eta=\\d+s\n\n.*"));
            assertThat(stream).as("while " + holders + " hold the place").isNotDone();
        }

        Answered answer = answered(stream.join());
        assertThat(answer.text()).isNotBlank().doesNotContain("queued");
        assertThat(tap().answered())
                .as("an event with a name breaks openai-java and Vercel's client")
                .doesNotContain("\nevent:");
        assertThat(answer.pieces()).isBetween(2, Ask.TOKENS_MAX);
        assertThat(answer.finish()).isEqualTo("length");
    }

    @ParameterizedTest(name = "{0} of a chat is the client''s own exception")
    @EnumSource
    void aRefusedChat(Refusal refusal) {
        try (Holders holders = refusal.arrange(gateway())) {
            assertThat(client().chat(refusal.ask()))
                    .as("with " + holders)
                    .isEqualTo(refusal.as(exceptionFor(refusal.status())));
        }
        assertThat(tap().requests()).isEqualTo(1);
        if (refusal.saysWhenToRetry()) {
            assertThat(tap().answered()).containsPattern("\nretry-after: ([1-9]|[1-5][0-9]|60)\r\n");
        }
    }

    @ParameterizedTest(name = "{0} of a stream is the client''s own exception")
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUEUE_TIMEOUT")
    void aRefusedStream(Refusal refusal) {
        try (Holders holders = refusal.arrange(gateway())) {
            assertThat(client().stream(refusal.ask()))
                    .as("with " + holders)
                    .isEqualTo(refusal.as(exceptionFor(refusal.status())));
        }
    }

    @Test
    void aStreamThatWaitsTooLongFailsAndIsNeverTakenForComplete() {
        try (Holders holders = gateway().hold(Group.IMPATIENT, 1, 0)) {
            assertThat(client().stream(Ask.of(Group.IMPATIENT.key(), "chat")))
                    .as("with " + holders)
                    .isEqualTo(timeoutWithinAStream());
        }
        assertThat(tap().answered()).contains("HTTP/1.1 200 OK", ": queued position=1");
    }

    @Test
    void theClientsOwnRetryOvercomesARefusalThatPasses() {
        CompletableFuture<Result> chat;
        try (Holders holders = gateway().hold(Group.UNQUEUED, 1, 0)) {
            chat = start(
                    () -> client().chat(Ask.of(Group.UNQUEUED.key(), "chat").retries(2)));
            await("a refusal by " + holders)
                    .atMost(10, SECONDS)
                    .until(() -> tap().answered().contains("concurrency_limit_exceeded"));
        }

        assertThat(answered(chat.join()).text()).isNotBlank();
        assertThat(tap().requests()).isBetween(2L, 3L);
    }

    @Test
    void aRefusalThatNoRetryCanHelpIsAskedForOnce() {
        Refusal refusal = Refusal.MODEL_NOT_FOUND;

        assertThat(client().chat(refusal.ask().retries(2))).isEqualTo(refusal.as(exceptionFor(refusal.status())));
        assertThat(tap().requests()).isEqualTo(1);
        assertThat(tap().answered()).contains("\nx-should-retry: false\r\n");
    }

    private static CompletableFuture<Result> start(Supplier<Result> call) {
        return CompletableFuture.supplyAsync(
                        call, task -> Thread.ofVirtual().name("client").start(task))
                .orTimeout(30, SECONDS);
    }
}
