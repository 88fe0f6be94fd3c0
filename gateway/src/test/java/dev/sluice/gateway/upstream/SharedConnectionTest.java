package dev.sluice.gateway.upstream;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.config.Http;
import dev.sluice.gateway.config.Upstream.OpenAi;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A connection that is used again belongs to its latest request alone")
final class SharedConnectionTest {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Promise<HttpServerRequest> second = Promise.promise();
    private final Set<Object> connections = new HashSet<>();
    private int requests;
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = vertx.createHttpServer()
                .requestHandler(request -> {
                    connections.add(request.connection());
                    if (++requests == 1) {
                        request.response().end("first");
                    } else {
                        second.complete(request);
                    }
                })
                .listen(0, "127.0.0.1")
                .await(60, SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().await(60, SECONDS);
    }

    @Test
    void giveUpOfAnAnswerThatCameWholeButWasNotReadYetLeavesTheNextRequestAlone() throws Exception {
        Promise<String> answer = Promise.promise();
        vertx.getOrCreateContext().runOnContext(now -> {
            Outlet outlet = Outlet.open(vertx, Http.DEFAULT, Duration.ofMinutes(5));
            var upstream = new HttpUpstream(
                    new OpenAi(URI.create("http://127.0.0.1:" + server.actualPort() + "/v1"), Optional.empty()));
            Promise<Void> first = Promise.promise();
            UpstreamCall unread = upstream.open(outlet, request(), new Listening(first, Promise.promise()));
            unread.pause();
            // Head and body come in one piece, so after this turn of the loop the answer is whole.
            first.future()
                    .onSuccess(head -> vertx.runOnContext(next -> {
                        upstream.open(outlet, request(), new Listening(Promise.promise(), answer));
                        second.future()
                                .compose(came -> unread.cancel().map(came))
                                .compose(came -> came.response().end("second"));
                    }));
        });

        assertThat(answer.future().await(60, SECONDS)).isEqualTo("second");
        assertThat(connections).as("both used one connection").hasSize(1);
    }

    private static UpstreamRequest request() {
        return new UpstreamRequest("/chat/completions", MultiMap.caseInsensitiveMultiMap(), Buffer.buffer("{}"));
    }

    private record Listening(Promise<Void> head, Promise<String> answer, Buffer body) implements UpstreamListener {
        Listening(Promise<Void> head, Promise<String> answer) {
            this(head, answer, Buffer.buffer());
        }

        @Override
        public void head(int status, MultiMap headers) {
            head.complete();
        }

        @Override
        public void chunk(Buffer bytes) {
            body.appendBuffer(bytes);
        }

        @Override
        public void end() {
            answer.tryComplete(body.toString());
        }

        @Override
        public void failed(UpstreamFailure failure) {
            answer.tryComplete(failure.toString());
        }
    }
}
