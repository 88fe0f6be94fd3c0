package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.gateway.config.ApiKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("What an operator orders")
final class AdminOrdersTest {
    private static final String TOKEN = "let-me-in";
    private static final String PLAIN = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    @TempDir
    private Path folder;

    private final Semaphore go = new Semaphore(0);
    private RawUpstream upstream;

    @BeforeEach
    void start() throws IOException {
        upstream = RawUpstream.start(call -> {
            go.acquire();
            call.json(200, "{}");
        });
    }

    @AfterEach
    void stop() throws IOException {
        go.release(1_000);
        upstream.close();
    }

    private RunningGateway gateway(String concurrency) throws IOException {
        return RunningGateway.startFrom(
                write(concurrency),
                Map.of(
                        "KEY_SHA256",
                        ApiKey.sha256(RunningGateway.KEY),
                        "OTHER_KEY_SHA256",
                        ApiKey.sha256(RunningGateway.OTHER_KEY)));
    }

    private Path write(String concurrency) throws IOException {
        return Files.writeString(
                folder.resolve("sluice.yaml"),
                "listen: 127.0.0.1:0\ndatabase: {mode: memory}\nadmin: {listen: \"127.0.0.1:0\", token: " + TOKEN
                        + "}\n" + RunningGateway.oneProvider(upstream.url(), 10, concurrency));
    }

    private static Answer order(RunningGateway gateway, String method, String path) throws IOException {
        return exchange(
                gateway.adminPort(),
                method + " " + path + " HTTP/1.1\r\nhost: here\r\nauthorization: Bearer " + TOKEN
                        + "\r\ncontent-length: 0\r\n\r\n");
    }

    private static JsonNode post(RunningGateway gateway, String path, int status) throws IOException {
        Answer answer = order(gateway, "POST", path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        return JsonMapper.shared().readTree(answer.body());
    }

    @Test
    void aReloadServesThoseWhoWaitByTheNewLimit() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5}");
                RawClient running = RawClient.connect(gateway.port()).send(chat(PLAIN));
                RawClient waiting = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            waiting.send(chat(PLAIN));
            gateway.awaitWaiting(1);
            write("{limit: 2, queue: 5}");

            JsonNode told = post(gateway, "/admin/reload", 200);

            assertThat(told.path("changed").asBoolean()).isTrue();
            await().atMost(10, SECONDS).until(() -> upstream.running() == 2);
            assertThat(post(gateway, "/admin/reload", 200).path("changed").asBoolean())
                    .isFalse();
            go.release(2);
            assertThat(running.answer().status()).isEqualTo(200);
            assertThat(waiting.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void aRequestThatWaitsGoesWhereTheNewConfigurationSays() throws IOException {
        try (RawUpstream moved = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = gateway("{limit: 1, queue: 5}");
                RawClient running = RawClient.connect(gateway.port()).send(chat(PLAIN));
                RawClient waiting = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            waiting.send(chat(PLAIN));
            gateway.awaitWaiting(1);
            Path file = write("{limit: 1, queue: 5}");
            Files.writeString(
                    file,
                    Files.readString(file)
                            .replace(upstream.url(), moved.url())
                            .replace("upstream-secret", "another-secret")
                            .replace("served/name", "new/name"));

            post(gateway, "/admin/reload", 200);

            assertThat(waiting.answer().status()).isEqualTo(200);
            assertThat(moved.calls()).singleElement().satisfies(call -> {
                assertThat(call.head()).contains("Bearer another-secret");
                assertThat(call.body()).contains("\"model\":\"new/name\"");
            });
            go.release();
            assertThat(running.answer().status()).isEqualTo(200);
            assertThat(upstream.calls()).hasSize(1);
        }
    }

    @Test
    void aKeyThatIsTakenAwayTakesItsWaitingRequestsAlongAndLeavesWhatRuns() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5}");
                RawClient running = RawClient.connect(gateway.port()).send(chat(PLAIN));
                RawClient waiting = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            waiting.send(chat(PLAIN));
            gateway.awaitWaiting(1);
            Path file = write("{limit: 1, queue: 5}");
            Files.writeString(file, Files.readString(file).replace("${ENV:KEY_SHA256}", ApiKey.sha256("another")));

            post(gateway, "/admin/reload", 200);

            Answer evicted = waiting.answer();
            assertThat(evicted.status()).isEqualTo(503);
            assertThat(evicted.body()).contains("\"code\":\"evicted\"");
            go.release();
            assertThat(running.answer().status()).isEqualTo(200);
            assertThat(exchange(gateway.port(), chat(PLAIN)).status()).isEqualTo(401);
            gateway.awaitIdle();
        }
    }

    @Test
    void aModelThatIsRemovedTakesItsWaitingRequestsAlong() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5}");
                RawClient running = RawClient.connect(gateway.port()).send(chat(PLAIN));
                RawClient waiting = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            waiting.send(chat(PLAIN));
            gateway.awaitWaiting(1);
            Path file = write("{limit: 1, queue: 5}");
            Files.writeString(file, Files.readString(file).replace("id: chat", "id: talk"));

            post(gateway, "/admin/reload", 200);

            Answer evicted = waiting.answer();
            assertThat(evicted.status()).isEqualTo(503);
            assertThat(evicted.body()).contains("\"code\":\"evicted\"", "The model was removed");
            go.release();
            assertThat(running.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }

    @Test
    void aReloadOfABadFileNamesItsFaultsChangesNothingAndIsCounted() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1}")) {
            Path file = write("{limit: many}");

            JsonNode told = post(gateway, "/admin/reload", 422);

            assertThat(told.path("error").path("code").asString()).isEqualTo("invalid_configuration");
            assertThat(told.path("faults").size()).isEqualTo(1);
            assertThat(told.path("faults").get(0).asString())
                    .startsWith(file + ":")
                    .contains("limit");
            assertThat(order(gateway, "GET", "/admin/queue").body())
                    .contains("\"key\":\"here/served/name\",\"limit\":1,");
            assertThat(order(gateway, "GET", "/metrics").body())
                    .contains("sluice_config_reload_total{result=\"failure\"} 1.0");
        }
    }

    @Test
    void aReloadIsAPost() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1}")) {
            assertThat(order(gateway, "GET", "/admin/reload").header("allow")).isEqualTo("POST");
            assertThat(order(gateway, "GET", "/metrics").body())
                    .contains("sluice_config_reload_total{result=\"success\"} 0.0");
        }
    }

    @Test
    void aProviderIsDrainedDisabledAndEnabledAgain() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 5, queue: 5}");
                RawClient running = RawClient.connect(gateway.port()).send(chat(PLAIN))) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);

            assertThat(state(post(gateway, "/admin/providers/up-1/drain", 200))).isEqualTo("draining");

            Answer refused = exchange(gateway.port(), chat(PLAIN));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("\"code\":\"no_capacity\"");
            go.release();
            assertThat(running.answer().status()).isEqualTo(200);
            assertThat(state(post(gateway, "/admin/providers/up-1/disable", 200)))
                    .isEqualTo("disabled");
            assertThat(state(post(gateway, "/admin/providers/up-1/enable", 200)))
                    .isEqualTo("enabled");
            go.release();
            assertThat(exchange(gateway.port(), chat(PLAIN)).status()).isEqualTo(200);
        }
    }

    @Test
    void aMethodIsRefusedOnlyWhereAnotherOneIsTaken() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1}")) {
            Answer written = order(gateway, "POST", "/admin/queue");
            assertThat(written.status()).isEqualTo(405);
            assertThat(written.header("allow")).isEqualTo("GET");
            assertThat(order(gateway, "POST", "/admin/nothing").status()).isEqualTo(404);
            String task = "/admin/admissions/" + UUID.randomUUID();
            Answer read = order(gateway, "GET", task + "/priority");
            assertThat(read.status()).isEqualTo(405);
            assertThat(read.header("allow")).isEqualTo("POST");
            assertThat(order(gateway, "GET", task + "/weight").status()).isEqualTo(404);
        }
    }

    private static String state(JsonNode providers) {
        return providers.path("providers").get(0).path("state").asString();
    }

    @Test
    void whatIsNoOrderOrNoProviderChangesNothing() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1}")) {
            for (String path : new String[] {"nobody/drain", "up-1/stop", "up-1", "/drain", ""}) {
                assertThat(order(gateway, "POST", "/admin/providers/" + path).status())
                        .as(path)
                        .isEqualTo(404);
            }
            Answer read = order(gateway, "GET", "/admin/providers/up-1/drain");
            assertThat(read.status()).isEqualTo(405);
            assertThat(read.header("allow")).isEqualTo("POST");
            assertThat(order(gateway, "GET", "/admin/providers").body()).contains("\"state\":\"enabled\"");
        }
    }
}
