package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Snapshot.ProviderView;
import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.gateway.RawUpstream.Script;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class FailoverTest {
    private static final String PLAIN = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    /** Provider {@code bad} is preferred, {@code good} is the other candidate. */
    private static RunningGateway start(String bad, String good) {
        return start(bad, good, 2, "");
    }

    private static RunningGateway start(String bad, String good, int capacity, String more) {
        return RunningGateway.start("""
                platforms:
                  - id: here
                    providers:
                      - {id: bad, base-url: "%1$s", capacity: %3$d, priority: 0}
                      - {id: good, base-url: "%2$s", capacity: %3$d, priority: 1}
                models:
                  - id: chat
                    served-by: [{platform: here, model: m, concurrency: {limit: 2}}]
                  - id: other
                    served-by: [{platform: here, model: m2}]
                """.formatted(bad, good, capacity) + more + RunningGateway.groups());
    }

    static Stream<Arguments> beforeTheFirstByte() {
        return Stream.of(
                Arguments.of("a reset", (Script) RawUpstream.Call::reset),
                Arguments.of("429", (Script) call -> call.json(429, "{}")),
                Arguments.of("502", (Script) call -> call.json(502, "{}")),
                Arguments.of("503", (Script) call -> call.json(503, "{}")),
                Arguments.of("504", (Script) call -> call.json(504, "{}")),
                Arguments.of("529", (Script) call -> call.json(529, "{}")));
    }

    @ParameterizedTest(name = "{0} moves the request to the other provider")
    @MethodSource("beforeTheFirstByte")
    void movesToAnother(String what, Script script) throws IOException {
        try (RawUpstream bad = RawUpstream.start(script);
                RawUpstream good = RawUpstream.start(call -> call.json(200, "{\"from\":\"good\"}"));
                RunningGateway gateway = start(bad.url(), good.url())) {
            Answer answer = exchange(gateway.port(), chat(PLAIN));

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.header("x-sluice-provider")).isEqualTo("good");
            assertThat(bad.calls()).as(what + " was seen").hasSize(1);
            gateway.awaitIdle();
        }
    }

    @Test
    void aProviderThatDoesNotListenIsLeftAloneUntilItDoes() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        try (RawUpstream good = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = start("http://127.0.0.1:" + port + "/v1", good.url())) {
            assertThat(exchange(gateway.port(), chat(PLAIN)).header("x-sluice-provider"))
                    .isEqualTo("good");
            assertThat(gateway.snapshot().provider("bad").map(ProviderView::up)).contains(false);

            try (RawUpstream back = RawUpstream.start(port, call -> call.json(200, "{}"))) {
                await("it is found up again")
                        .atMost(10, SECONDS)
                        .until(() ->
                                gateway.snapshot().provider("bad").orElseThrow().up());
                assertThat(exchange(gateway.port(), chat(PLAIN)).header("x-sluice-provider"))
                        .isEqualTo("bad");
                assertThat(back.calls()).hasSize(1);
            }
            gateway.awaitIdle();
        }
    }

    @Test
    void a500AndA400AreNotRepeated() throws IOException {
        for (int status : new int[] {400, 500}) {
            try (RawUpstream bad = RawUpstream.start(call -> call.json(status, "{\"theirs\":1}"));
                    RawUpstream good = RawUpstream.start(call -> call.json(200, "{}"));
                    RunningGateway gateway = start(bad.url(), good.url())) {
                Answer answer = exchange(gateway.port(), chat(PLAIN));

                assertThat(answer.status()).isEqualTo(status);
                assertThat(answer.body()).isEqualTo("{\"theirs\":1}");
                assertThat(good.calls()).isEmpty();
            }
        }
    }

    @Test
    void whenAllRefuseTheLastRefusalPasses() throws IOException {
        try (RawUpstream bad = RawUpstream.start(call -> call.json(503, "{\"theirs\":1}"));
                RawUpstream good = RawUpstream.start(call -> call.json(429, "{\"theirs\":2}"));
                RunningGateway gateway = start(bad.url(), good.url())) {
            Answer answer = exchange(gateway.port(), chat(PLAIN));

            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.body()).isEqualTo("{\"theirs\":2}");
            gateway.awaitIdle();
        }
    }

    @Test
    void nothingIsRepeatedAfterTheFirstByteOfAStream() throws IOException {
        // A reset takes back what was sent and not read yet.
        var arrived = new Semaphore(0);
        try (RawUpstream bad = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk("data: 1\n\n");
                    arrived.acquire();
                    call.reset();
                });
                RawUpstream good = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = start(bad.url(), good.url());
                RawClient client = RawClient.connect(gateway.port())) {
            client.send(chat(PLAIN.replace("}]}", "}],\"stream\":true}")));

            assertThat(client.head().status()).isEqualTo(200);
            arrived.release();
            assertThat(client.rest()).contains("data: 1", "upstream_error");
            assertThat(good.calls()).isEmpty();
            gateway.awaitIdle();
        }
    }

    @Test
    void aRefusalReachesItsClientAlsoAfterCommentsOnTheWaitForAnotherProvider() throws IOException {
        var go = new Semaphore(0);
        try (RawUpstream bad = RawUpstream.start(call -> call.json(503, "{\"error\":{\"message\":\"theirs\"}}"));
                RawUpstream good = RawUpstream.start(call -> {
                    go.acquire();
                    call.json(200, "{}");
                });
                RunningGateway gateway = start(bad.url(), good.url(), 1, "queueing: {first-byte-grace: 0s}\n");
                RawClient holder = RawClient.connect(gateway.port()).send(chat(PLAIN))) {
            await("the other provider is taken").atMost(10, SECONDS).until(() -> good.running() == 1);
            try (RawClient client = RawClient.connect(gateway.port())) {
                client.send(chat(PLAIN.replace("}]}", "}],\"stream\":true}")));
                assertThat(client.head().status()).isEqualTo(200);
                assertThat(client.chunk()).startsWith(": queued");

                gateway.gateway().admission().operate("good", ProviderState.DISABLED);

                assertThat(client.rest()).contains("theirs").doesNotContain("upstream_error");
            }
            go.release();
            assertThat(holder.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }
}
