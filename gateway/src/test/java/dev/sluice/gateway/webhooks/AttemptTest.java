package dev.sluice.gateway.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RawUpstream;
import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.config.ConfigurationFile;
import dev.sluice.gateway.config.Environment;
import dev.sluice.gateway.config.Verdict;
import dev.sluice.gateway.webhooks.Attempt.Ended;
import dev.sluice.postgres.webhooks.Delivery;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SelfSignedCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An attempt to deliver a message")
class AttemptTest {
    private static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");
    private static final String KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    private static final String FORMER_KEY = "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4";
    private static final Delivery MESSAGE =
            new Delivery(UUID.fromString("00000000-0000-0000-0000-000000000001"), "research", "done", 1, "{\"é\":1}");
    private static Vertx vertx;
    private static Outgoing outgoing;

    @BeforeAll
    static void open() {
        vertx = Vertx.vertx();
        outgoing = new Outgoing(vertx, Duration.ofSeconds(2));
    }

    @AfterAll
    static void close() {
        outgoing.close();
        vertx.close().await();
    }

    private static Configuration configuration(String url, String more) {
        String yaml = """
                database: {mode: memory}
                platforms: [{id: p, providers: [{id: a, type: simulated, capacity: 1}]}]
                models: [{id: m, served-by: [{platform: p, model: m}]}]
                groups: [{id: research, webhooks: [{id: done, url: "%s", secret: "whsec_%s", previous-secret: "whsec_%s"}]}]
                %s
                """.formatted(url, KEY, FORMER_KEY, more);
        return switch (ConfigurationFile.parse("test.yaml", yaml, Environment.of(Map.of()))) {
            case Verdict.Loaded loaded -> loaded.configuration();
            case Verdict.Faulty faulty -> throw new AssertionError(faulty.faults());
        };
    }

    private static Ended attempt(String url, String more, Names names) {
        return attempt(outgoing, url, more, names);
    }

    private static Ended attempt(Outgoing by, String url, String more, Names names) {
        Configuration configuration = configuration(url, more);
        return new Attempt(() -> configuration, by, names, InstantSource.fixed(NOW)).make(MESSAGE);
    }

    /** The host has a name that only this test knows, so whoever looked it up again would not find it. */
    private static Ended attempt(RawUpstream receiver) {
        return attempt(
                "http://receiver.invalid:" + receiver.port() + "/in?a=b", "webhooks: {allow-private: true}", host -> {
                    assertThat(host).isEqualTo("receiver.invalid");
                    return new InetAddress[] {InetAddress.getByName("127.0.0.1")};
                });
    }

    private static String code(Ended ended) {
        assertThat(ended).isInstanceOf(Ended.Failed.class);
        return ((Ended.Failed) ended).failure().code();
    }

    private static String sign(String key, String signed) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(UTF_8)));
    }

    @Test
    void goesToTheAddressThatWasCheckedUnderTheNameThatWasConfiguredAndIsSigned() throws Exception {
        try (RawUpstream receiver = RawUpstream.start(call -> call.json(204, ""))) {
            assertThat(attempt(receiver)).isEqualTo(new Ended.Delivered());

            RawUpstream.Call call = receiver.calls().getFirst();
            List<String> lines = call.head().lines().toList();
            Map<String, String> headers = lines.stream()
                    .skip(1)
                    .filter(line -> line.contains(": "))
                    .collect(Collectors.toMap(
                            line -> line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT),
                            line -> line.substring(line.indexOf(':') + 2)));
            String id = "msg_00000000-0000-0000-0000-000000000001";
            String signed = id + ".1767261600.{\"é\":1}";
            assertThat(lines.getFirst()).isEqualTo("POST /in?a=b HTTP/1.1");
            assertThat(call.body()).isEqualTo("{\"é\":1}");
            assertThat(headers)
                    .containsEntry("host", "receiver.invalid:" + receiver.port())
                    .containsEntry("content-type", "application/json")
                    .containsEntry("webhook-id", id)
                    .containsEntry("webhook-timestamp", "1767261600")
                    .containsEntry("webhook-signature", sign(KEY, signed) + ' ' + sign(FORMER_KEY, signed));
        }
    }

    @Test
    void isSignedAsOtherProgramsSign() {
        // Computed with openssl.
        assertThat(Signature.of(
                        List.of(Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")),
                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        1614265330,
                        "{\"test\": 2432232314}"))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308, 400, 404, 429, 500, 503})
    void thatIsAnsweredOtherwiseThanBy2xxHasFailedAndNoRedirectIsFollowed(int status) throws Exception {
        try (RawUpstream other = RawUpstream.start(call -> call.json(200, "{}"));
                RawUpstream receiver = RawUpstream.start(call -> call.write("HTTP/1.1 " + status
                        + " Said\r\nlocation: http://127.0.0.1:" + other.port() + "/\r\ncontent-length: 0\r\n\r\n"))) {
            Ended ended = attempt(receiver);

            assertThat(code(ended)).isEqualTo("webhook_status");
            assertThat(((Ended.Failed) ended).failure().status()).hasValue(status);
            assertThat(((Ended.Failed) ended).last()).isFalse();
            assertThat(other.connections()).isZero();
        }
    }

    @Test
    void thatIsAnswered410IsTheLast() throws Exception {
        try (RawUpstream receiver = RawUpstream.start(call -> call.json(410, "{}"))) {
            assertThat(attempt(receiver))
                    .isInstanceOfSatisfying(
                            Ended.Failed.class,
                            failed -> assertThat(failed.last()).isTrue());
        }
    }

    @Test
    void endsWithItsTimeWhenNobodyAnswers() throws Exception {
        try (RawUpstream receiver = RawUpstream.start(RawUpstream.Call::awaitClose)) {
            assertThat(code(attempt(receiver))).isEqualTo("webhook_timeout");
        }
    }

    @Test
    void readsLittleOfAnEndlessAnswer() throws Exception {
        try (RawUpstream receiver = RawUpstream.start(call -> {
            call.streamHead();
            try {
                while (true) {
                    call.chunk("x".repeat(1_000));
                }
            } catch (IOException cut) {
                // That is what must happen.
            }
        })) {
            assertThat(attempt(receiver)).isEqualTo(new Ended.Delivered());
        }
    }

    @Test
    void isDeliveredWhenTheAnswerBreaksOffBehindItsHead() throws Exception {
        try (RawUpstream receiver = RawUpstream.start(call -> {
            call.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{");
            call.close();
        })) {
            assertThat(attempt(receiver)).isEqualTo(new Ended.Delivered());
        }
    }

    @Test
    void overTlsAsksForTheConfiguredNameAtTheCheckedAddressAndTrustsItsCertificateAlone() throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.create("receiver.invalid");
        Set<String> asked = ConcurrentHashMap.newKeySet();
        HttpServer server = vertx.createHttpServer(new HttpServerOptions()
                        .setSsl(true)
                        .setSni(true)
                        .setKeyCertOptions(certificate.keyCertOptions()))
                .requestHandler(request -> {
                    asked.add(request.connection().indicatedServerName());
                    request.response().end();
                })
                .listen(0, "127.0.0.1")
                .await();
        var trusting = new Outgoing(
                vertx,
                Duration.ofSeconds(2),
                new ClientSSLOptions()
                        .setHostnameVerificationAlgorithm("HTTPS")
                        .setTrustOptions(new PemTrustOptions().addCertPath(certificate.certificatePath())));
        Names here = host -> new InetAddress[] {InetAddress.getByName("127.0.0.1")};
        String allowed = "webhooks: {allow-private: true}";
        String rest = ":" + server.actualPort() + "/";
        try {
            assertThat(attempt(trusting, "https://receiver.invalid" + rest, allowed, here))
                    .isEqualTo(new Ended.Delivered());
            assertThat(asked).containsExactly("receiver.invalid");
            assertThat(code(attempt(trusting, "https://another.invalid" + rest, allowed, here)))
                    .isEqualTo("tls_failed");
            assertThat(code(attempt("https://receiver.invalid" + rest, allowed, here)))
                    .isEqualTo("tls_failed");
        } finally {
            trusting.close();
            server.close().await();
            certificate.delete();
        }
    }

    @Test
    void failsWhereNobodyListens() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        assertThat(code(attempt(
                        "http://127.0.0.1:" + port + "/",
                        "webhooks: {allow-private: true}",
                        InetAddress::getAllByName)))
                .isEqualTo("connection_failed");
    }

    @Test
    void failsWithoutAConnectionWhenAnyAddressOfTheHostIsNotPublic() throws Exception {
        try (RawUpstream receiver = RawUpstream.start(call -> call.json(200, "{}"))) {
            String url = "http://receiver.invalid:" + receiver.port() + "/";
            assertThat(code(attempt(url, "", host ->
                            new InetAddress[] {InetAddress.getByName("1.1.1.1"), InetAddress.getByName("127.0.0.1")})))
                    .isEqualTo("address_refused");
            assertThat(code(attempt("http://127.0.0.1:" + receiver.port() + "/", "", InetAddress::getAllByName)))
                    .isEqualTo("address_refused");
            assertThat(code(attempt("http://[::1]:" + receiver.port() + "/", "", InetAddress::getAllByName)))
                    .isEqualTo("address_refused");
            assertThat(receiver.connections()).isZero();
        }
    }

    @Test
    void failsWhenTheNameIsUnknown() {
        assertThat(code(attempt("http://receiver.invalid/", "", host -> {
                    throw new UnknownHostException(host);
                })))
                .isEqualTo("unknown_host");
    }

    @Test
    void failsWhenTheWebhookIsNotConfiguredAnyMore() {
        Configuration configuration = configuration("http://a/", "");
        var gone = new Delivery(MESSAGE.id(), "research", "another", 1, "{}");

        assertThat(code(new Attempt(() -> configuration, outgoing, InetAddress::getAllByName, InstantSource.fixed(NOW))
                        .make(gone)))
                .isEqualTo("webhook_unknown");
    }
}
