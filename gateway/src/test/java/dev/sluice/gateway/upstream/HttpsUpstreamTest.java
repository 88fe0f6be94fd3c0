package dev.sluice.gateway.upstream;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.config.Http;
import dev.sluice.gateway.config.Secret;
import dev.sluice.gateway.config.Upstream.OpenAi;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SelfSignedCertificate;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HttpsUpstreamTest {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final SelfSignedCertificate certificate = SelfSignedCertificate.create("localhost");
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = vertx.createHttpServer(
                        new HttpServerOptions().setSsl(true).setKeyCertOptions(certificate.keyCertOptions()))
                .requestHandler(request -> request.response().end(request.getHeader("authorization")))
                .listen(0, "127.0.0.1")
                .await(60, SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().await(60, SECONDS);
        certificate.delete();
    }

    private Future<String> ask(String host, ClientSSLOptions tls) {
        Promise<String> answer = Promise.promise();
        vertx.getOrCreateContext().runOnContext(now -> {
            Outlet outlet = Outlet.open(vertx, Http.DEFAULT, Duration.ofMillis(500), tls);
            var upstream = new HttpUpstream(new OpenAi(
                    URI.create("https://" + host + ":" + server.actualPort() + "/v1"), Optional.of(new Secret("key"))));
            var request =
                    new UpstreamRequest("/chat/completions", MultiMap.caseInsensitiveMultiMap(), Buffer.buffer("{}"));
            upstream.open(outlet, request, new UpstreamListener() {
                private final Buffer body = Buffer.buffer();

                @Override
                public void head(int status, MultiMap headers) {}

                @Override
                public void chunk(Buffer bytes) {
                    body.appendBuffer(bytes);
                }

                @Override
                public void end() {
                    answer.complete(body.toString());
                }

                @Override
                public void failed(UpstreamFailure failure) {
                    answer.complete(failure.kind().toString());
                }
            });
        });
        return answer.future();
    }

    private ClientSSLOptions trusting() {
        return Outlet.tls().setTrustOptions(new PemTrustOptions().addCertPath(certificate.certificatePath()));
    }

    @Test
    void aTrustedCertificateForTheNameIsTaken() throws Exception {
        assertThat(ask("localhost", trusting()).await(60, SECONDS)).isEqualTo("Bearer key");
    }

    @Test
    void anUntrustedCertificateIsNot() throws Exception {
        assertThat(ask("localhost", Outlet.tls()).await(60, SECONDS)).isEqualTo("CONNECT");
    }

    @Test
    void aCertificateForAnotherNameIsNot() throws Exception {
        assertThat(ask("127.0.0.1", trusting()).await(60, SECONDS)).isEqualTo("CONNECT");
    }
}
