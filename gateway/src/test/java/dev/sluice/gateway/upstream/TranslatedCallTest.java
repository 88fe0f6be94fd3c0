package dev.sluice.gateway.upstream;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.config.Http;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A translated call is heard as any other")
final class TranslatedCallTest {
    private static final String CHAT = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]%s}";
    private static final String STREAM = "text/event-stream";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final List<String> heard = new ArrayList<>();
    private final Fake fake = new Fake();
    private Consumer<Buffer> onChunk = bytes -> {};

    /** An upstream of the Anthropic API that does what the test says. */
    private static final class Fake implements Upstream, UpstreamCall {
        private Optional<UpstreamListener> listener = Optional.empty();
        private String asked = "";
        private volatile int opened;
        private int cancelled;

        @Override
        public UpstreamCall open(Outlet outlet, UpstreamRequest request, UpstreamListener heardBy) {
            listener = Optional.of(heardBy);
            opened++;
            asked = request.path() + " " + request.body();
            return this;
        }

        @Override
        public Set<Protocol> protocols() {
            return Set.of(Protocol.ANTHROPIC);
        }

        @Override
        public Future<Void> reachable(Outlet outlet) {
            return Future.succeededFuture();
        }

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public Future<Void> cancel() {
            cancelled++;
            return Future.succeededFuture();
        }

        void head(String type) {
            listener.orElseThrow().head(200, HttpHeaders.headers().set(HttpHeaders.CONTENT_TYPE, type));
        }
    }

    private final UpstreamListener listening = new UpstreamListener() {
        @Override
        public void head(int status, MultiMap headers) {
            heard.add("head " + status);
        }

        @Override
        public void chunk(Buffer bytes) {
            heard.add("chunk");
            onChunk.accept(bytes);
        }

        @Override
        public void end() {
            heard.add("end");
        }

        @Override
        public void failed(UpstreamFailure failure) {
            heard.add("failed: " + failure.detail());
        }
    };

    @AfterEach
    void stop() throws Exception {
        vertx.close().await(60, SECONDS);
    }

    /** On the loop, as the gateway does it; {@code then} runs when all that was due has run. */
    private void open(String body, Consumer<UpstreamCall> then) throws Exception {
        Promise<Void> done = Promise.promise();
        vertx.getOrCreateContext().runOnContext(now -> {
            Outlet outlet = Outlet.open(vertx, Http.DEFAULT, Duration.ofSeconds(5));
            UpstreamCall call = new TranslatingUpstream(fake, InstantSource.system())
                    .open(
                            outlet,
                            new UpstreamRequest("/chat/completions", HttpHeaders.headers(), Buffer.buffer(body)),
                            listening);
            assertThat(heard).as("nothing is heard before the call is known").isEmpty();
            vertx.runOnContext(later -> {
                then.accept(call);
                vertx.runOnContext(last -> done.complete());
            });
        });
        done.future().await(60, SECONDS);
    }

    @Test
    void aRequestThatCannotBeTranslatedIsAnsweredInItsOwnApi() throws Exception {
        List<String> bodies = new ArrayList<>();
        onChunk = bytes -> bodies.add(bytes.toString());
        open(CHAT.formatted("hi", ",\"seed\":1"), call -> {});

        assertThat(heard).containsExactly("head 400", "chunk", "end");
        assertThat(bodies.getFirst()).contains("\"param\":\"seed\"");
        assertThat(fake.asked).isEmpty();
    }

    @Test
    void nothingIsOpenedOnceItWasCancelled() throws Exception {
        String large = CHAT.formatted("y".repeat(600_000), "");
        open(large, UpstreamCall::cancel);
        open(large, call -> {});

        // The second was begun later, and the work of both is the same.
        await().atMost(10, SECONDS).until(() -> fake.opened == 1);
        assertThat(heard).isEmpty();
    }

    @Test
    void whoCancelsWhileAChunkIsHeardHearsNothingMore() throws Exception {
        open(CHAT.formatted("hi", ""), call -> {
            onChunk = bytes -> call.cancel();
            fake.head("application/json");
            fake.listener
                    .orElseThrow()
                    .chunk(Buffer.buffer("{\"type\":\"message\",\"content\":[],\"stop_reason\":\"end_turn\"}"));
            fake.listener.orElseThrow().end();
        });

        assertThat(heard).containsExactly("head 200", "chunk");
        assertThat(fake.cancelled).isEqualTo(1);
    }

    @Test
    void anAnswerThatCannotBePassedOnIsGivenUpBeforeItIsToldOf() throws Exception {
        open(CHAT.formatted("hi", ""), call -> {
            fake.head(STREAM);
            fake.listener.orElseThrow().chunk(Buffer.buffer("data: nonsense\n\n"));
            fake.listener.orElseThrow().chunk(Buffer.buffer("data: more\n\n"));
        });

        assertThat(fake.asked).startsWith("/messages {");
        assertThat(fake.cancelled).isEqualTo(1);
        assertThat(heard).hasSize(2).first().isEqualTo("head 200");
        assertThat(heard.get(1)).startsWith("failed: its answer cannot be passed on");
    }
}
