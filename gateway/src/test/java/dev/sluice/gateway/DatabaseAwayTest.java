package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.postgres.TestDatabase;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("While its external database is away a gateway")
final class DatabaseAwayTest {
    private static final Pattern PORT = Pattern.compile("^(.*//[^:/]+:)(\\d+)(/.*)$");
    private static final String BODY = "{\"model\":\"chat\",\"stream\":true,\"messages\":[{\"role\":\"user\"}]}";

    private final Semaphore go = new Semaphore(0);
    /** The upstream works until it is given up. */
    private volatile boolean endless;

    private TestDatabase database;
    private CuttableLink link;
    private RawUpstream upstream;

    @BeforeEach
    void start() throws Exception {
        database = TestDatabase.withFreshSchema();
        Matcher url = url();
        link = CuttableLink.to(Integer.parseInt(url.group(2)));
        upstream = RawUpstream.start(call -> {
            call.streamHead();
            call.chunk("data: first\n\n");
            if (endless) {
                call.awaitClose();
                return;
            }
            go.acquire();
            call.chunk("data: [DONE]\n\n");
            call.lastChunk();
        });
    }

    private Matcher url() {
        Matcher url = PORT.matcher(database.serverUrl());
        assertThat(url.matches()).as(database.serverUrl()).isTrue();
        return url;
    }

    @AfterEach
    void stop() throws Exception {
        go.release(1_000);
        upstream.close();
        link.close();
        database.close();
    }

    private RunningGateway gateway(String concurrency) {
        Matcher url = url();
        return RunningGateway.startOn(
                "{mode: external, url: \"%s%d%s\", user: %s, password: \"%s\", schema: %s}"
                        .formatted(
                                url.group(1),
                                link.port(),
                                url.group(3),
                                database.user(),
                                database.password(),
                                database.schema()),
                RunningGateway.oneProvider(upstream.url(), 5, concurrency));
    }

    private static Answer get(RunningGateway gateway, String path) throws IOException {
        return RawClient.exchange(gateway.port(), "GET " + path + " HTTP/1.1\r\nhost: g\r\n\r\n");
    }

    private static void awaitReady(RunningGateway gateway, int status) {
        await().atMost(20, SECONDS).until(() -> get(gateway, "/readyz").status() == status);
    }

    private static String metric(RunningGateway gateway, String name) throws IOException {
        String text = RawClient.exchange(
                        gateway.adminPort(),
                        "GET /metrics HTTP/1.1\r\nhost: localhost:" + gateway.adminPort() + "\r\n\r\n")
                .body();
        return text.lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElse("absent in " + text);
    }

    private static void assertUnavailable(RunningGateway gateway) throws IOException {
        Answer refused = RawClient.exchange(gateway.port(), chat(BODY));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("\"code\":\"admission_unavailable\"");
        assertThat(refused.header("retry-after")).matches("[1-9]\\d?");
    }

    @Test
    void startsSaysThatItIsNotReadyAndServesAsSoonAsItCan() throws Exception {
        link.cut();
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5}")) {
            assertThat(get(gateway, "/livez").status()).isEqualTo(200);
            assertThat(get(gateway, "/readyz").status()).isEqualTo(503);
            assertUnavailable(gateway);
            assertThat(metric(gateway, "sluice_ledger_available")).isEqualTo("0.0");

            link.mend();

            awaitReady(gateway, 200);
            go.release();
            assertThat(RawClient.exchange(gateway.port(), chat(BODY)).status()).isEqualTo(200);
            assertThat(metric(gateway, "sluice_ledger_available")).isEqualTo("1.0");
            assertThat(metric(gateway, "sluice_ledger_drift")).isEqualTo("0.0");
            gateway.awaitIdle();
        }
    }

    @Test
    void letsStreamsGoOnAndWaitersWaitAndReleasesWhenItIsBack() throws Exception {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5}")) {
            awaitReady(gateway, 200);
            try (RawClient running = RawClient.connect(gateway.port()).send(chat(BODY));
                    RawClient waiting = RawClient.connect(gateway.port())) {
                Answer head = running.head();
                assertThat(running.chunk()).isEqualTo("data: first\n\n");
                waiting.send(chat(BODY));
                gateway.awaitWaiting(1);

                link.cut();
                awaitReady(gateway, 503);
                assertUnavailable(gateway);
                go.release();
                assertThat(running.answer(head).body()).isEqualTo("data: [DONE]\n\n");
                assertThat(upstream.running()).isZero();
                link.mend();

                // The release that was owed has made room for the one who waited.
                go.release();
                assertThat(waiting.answer().body()).isEqualTo("data: first\n\ndata: [DONE]\n\n");
            }
            awaitReady(gateway, 200);
            gateway.awaitIdle();
        }
    }

    @Test
    void endsWorkWhoseLeaseItCannotRenewBeforeAnybodyElseMayHaveTheSlot() throws Exception {
        endless = true;
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5, lease-ttl: 3s}")) {
            awaitReady(gateway, 200);
            try (RawClient running = RawClient.connect(gateway.port()).send(chat(BODY))) {
                running.head();
                assertThat(running.chunk()).isEqualTo("data: first\n\n");

                link.cut();

                assertThat(running.rest())
                        .contains("\"code\":\"admission_unavailable\"")
                        .doesNotContain("[DONE]");
                await().atMost(10, SECONDS).until(() -> upstream.running() == 0);
            }
            link.mend();
            awaitReady(gateway, 200);
            gateway.awaitIdle();
        }
    }
}
