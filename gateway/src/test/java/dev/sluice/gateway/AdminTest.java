package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class AdminTest {
    private static final String PLAIN =
            "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"secret words\"}]}";

    private static Answer get(RunningGateway gateway, String path, String headers) throws IOException {
        return exchange(gateway.adminPort(), "GET " + path + " HTTP/1.1\r\n" + headers + "\r\n");
    }

    private static JsonNode json(RunningGateway gateway, String path) throws IOException {
        Answer answer = get(gateway, path, "host: 127.0.0.1:9090\r\n");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }

    @Test
    void operatorsSeeWhatWaitsWhyAndWhere() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1, queue: 5}"));
                RawClient holder = RawClient.connect(gateway.port()).send(chat(PLAIN));
                RawClient waiting = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            waiting.send(chat(PLAIN));
            gateway.awaitWaiting(1);

            JsonNode queue = json(gateway, "/admin/queue");
            assertThat(queue.path("queue_depth").asInt()).isEqualTo(1);
            assertThat(queue.path("waiting_sync").asInt()).isEqualTo(1);
            assertThat(queue.path("scopes").toString())
                    .contains("{\"type\":\"platform_model\",\"key\":\"here/served/name\",\"limit\":1,\"active\":1,"
                            + "\"waiting\":1,\"queue_limit\":5}");
            assertThat(json(gateway, "/admin/providers")
                            .path("providers")
                            .get(0)
                            .path("in_flight")
                            .asInt())
                    .isEqualTo(1);

            JsonNode listed = json(gateway, "/admin/admissions?status=waiting&group=research&model=chat&limit=5");
            assertThat(listed.path("admissions").size()).isEqualTo(1);
            String task = listed.path("admissions").get(0).path("task").asString();
            JsonNode explained = json(gateway, "/admin/admissions/" + task);
            assertThat(explained.path("ahead").asInt()).isZero();
            assertThat(explained.path("blocked_by").get(0).path("key").asString())
                    .isEqualTo("here/served/name");
            assertThat(explained.path("blocked_by").get(0).path("holders").size())
                    .isEqualTo(1);
            assertThat(json(gateway, "/admin/admissions?status=admitted")
                            .path("admissions")
                            .size())
                    .isEqualTo(1);
            assertThat(json(gateway, "/admin/admissions?group=visitors")
                            .path("admissions")
                            .size())
                    .isZero();
            holder.close();
        }
    }

    @Test
    void whatBecameOfARequestIsKnownByItsId() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1}"));
                RawClient left = RawClient.connect(gateway.port()).send(chat(PLAIN))) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            String running = json(gateway, "/admin/admissions")
                    .path("admissions")
                    .get(0)
                    .path("task")
                    .asString();

            Answer refused = exchange(gateway.port(), chat(PLAIN));
            String ended = "/admin/admissions/" + refused.header("x-request-id");
            // It is noted once its answer is sent, which its client may know sooner.
            await().atMost(10, SECONDS)
                    .until(() -> get(gateway, ended, "host: 127.0.0.1:9090\r\n").status() == 200);
            JsonNode refusal = json(gateway, ended);
            assertThat(refusal.path("status").asString()).isEqualTo("ended");
            assertThat(refusal.path("http_status").asInt()).isEqualTo(429);
            assertThat(refusal.path("code").asString()).isEqualTo("concurrency_limit_exceeded");
            assertThat(refusal.path("model").asString()).isEqualTo("chat");
            assertThat(refusal.path("group").asString()).isEqualTo("research");
            assertThat(refusal.path("provider").isNull()).isTrue();

            left.close();
            await().atMost(10, SECONDS)
                    .until(() -> json(gateway, "/admin/admissions/" + running)
                                    .path("http_status")
                                    .asInt()
                            == 499);
            assertThat(json(gateway, "/admin/admissions/" + running)
                            .path("provider")
                            .asString())
                    .isEqualTo("up-1");
        }
    }

    @Test
    void withoutATokenOnlyThisMachineMayReadUnderItsOwnName() throws IOException {
        try (RunningGateway gateway =
                RunningGateway.start(RunningGateway.oneProvider("http://127.0.0.1:9/v1", 1, "{limit: 1}"))) {
            for (String host : new String[] {"localhost", "127.0.0.1:9090", "[::1]:9090"}) {
                assertThat(get(gateway, "/admin/queue", "host: " + host + "\r\n")
                                .status())
                        .isEqualTo(200);
            }
            assertThat(get(gateway, "/admin/queue", "host: evil.example\r\n").status())
                    .isEqualTo(403);
            assertThat(get(gateway, "/admin/queue", "host: localhost\r\nx-forwarded-for: 1.2.3.4\r\n")
                            .status())
                    .isEqualTo(403);
            assertThat(get(gateway, "/metrics", "host: localhost\r\nforwarded: for=1.2.3.4\r\n")
                            .status())
                    .isEqualTo(403);
            for (String foreign : new String[] {
                "host: localhost\r\nhost: evil.example\r\n",
                "host: localhost:80@evil.example\r\n",
                "host: localhost\r\nx-forwarded-port: 443\r\n",
                "host: localhost\r\ncf-connecting-ip: 1.2.3.4\r\n"
            }) {
                assertThat(get(gateway, "/admin/queue", foreign).status())
                        .as(foreign)
                        .isEqualTo(403);
            }
            assertThat(get(gateway, "http://evil.example/admin/queue", "host: localhost\r\n")
                            .status())
                    .isEqualTo(403);
            assertThat(exchange(
                                    gateway.adminPort(),
                                    "POST /admin/reload HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n")
                            .status())
                    .isEqualTo(403);
            assertThat(get(gateway, "/admin/admissions/none", "host: localhost\r\n")
                            .status())
                    .isEqualTo(404);
            assertThat(get(gateway, "/admin/admissions/01a22c73-c969-7619-9866-d5f964e056eb", "host: localhost\r\n"))
                    .satisfies(ended -> {
                        assertThat(ended.status()).isEqualTo(404);
                        assertThat(ended.body()).contains("No task with this id waits or runs;");
                    });
            assertThat(get(gateway, "/", "host: localhost\r\n").body()).contains("/admin/queue");
            assertThat(get(gateway, "/admin/admissions?limit=0", "host: localhost\r\n")
                            .status())
                    .isEqualTo(400);
            assertThat(get(gateway, "/admin/admissions?status=%zz", "host: localhost\r\n")
                            .status())
                    .isEqualTo(400);
            assertThat(get(gateway, "/admin/admissions?status=lost", "host: localhost\r\n")
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    void collectorsThatLikeProtobufBestGetText() throws IOException {
        try (RunningGateway gateway =
                RunningGateway.start(RunningGateway.oneProvider("http://127.0.0.1:9/v1", 1, "{limit: 1}"))) {
            String wish = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                    + "encoding=delimited;q=0.6,text/plain;version=0.0.4;q=0.3";

            Answer metrics = get(gateway, "/metrics", "host: localhost\r\naccept: " + wish + "\r\n");

            assertThat(metrics.status()).isEqualTo(200);
            assertThat(metrics.header("content-type")).startsWith("text/plain");
            assertThat(metrics.body()).contains("sluice_build_info");
        }
    }

    @Test
    void whatIsNotHttpGetsAnErrorOfTheUsualShape() throws IOException {
        try (RunningGateway gateway =
                RunningGateway.start(RunningGateway.oneProvider("http://127.0.0.1:9/v1", 1, "{limit: 1}"))) {
            Answer garbage = exchange(gateway.adminPort(), "\u0001\u0002 nonsense\r\n\r\n");
            assertThat(garbage.status()).isEqualTo(400);
            assertThat(garbage.body()).contains("\"param\":null", "\"code\":\"invalid_request\"");

            Answer tooLong = get(gateway, "/" + "y".repeat(9_000), "host: localhost\r\n");
            assertThat(tooLong.status()).isEqualTo(431);
            assertThat(tooLong.body()).contains("\"param\":null", "\"code\":\"headers_too_large\"");
        }
    }

    @Test
    void metricsHaveTheContractsNamesAndNoSecrets() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 3, "{limit: 2, queue: 5}"))) {
            Answer served = exchange(gateway.port(), chat(PLAIN));
            gateway.awaitIdle();

            String metrics = get(gateway, "/metrics", "host: localhost\r\n").body();

            assertThat(metrics)
                    .contains(
                            "sluice_admission_waiting{mode=\"sync\",scope_type=\"user_group\"}",
                            "sluice_admission_oldest_wait_seconds ",
                            "sluice_admission_wait_seconds_bucket{outcome=\"admitted\"",
                            "sluice_admission_decisions_total{outcome=\"admitted\"} 1.0",
                            "sluice_admission_decisions_total{outcome=\"rejected_queue_full\"} 0.0",
                            "sluice_leases_active{scope_key=\"research\",scope_type=\"user_group\"} 0.0",
                            "sluice_leases_expired_total 0.0",
                            "sluice_reaper_backlog{kind=\"waiter\"} 0.0",
                            "sluice_dispatch_in_flight{provider=\"up-1\"} 0.0",
                            "sluice_dispatch_capacity{kind=\"normal\",provider=\"up-1\"} 3.0",
                            "sluice_requests_total{route=\"/v1/chat/completions\",status=\"200\"} 1.0",
                            "sluice_request_overhead_seconds_count 1",
                            "sluice_time_to_first_token_seconds_count{model=\"chat\"} 1",
                            "sluice_config_reload_total{result=\"failure\"} 0.0",
                            "sluice_build_info{")
                    .doesNotContain(
                            RunningGateway.KEY, "secret words", "upstream-secret", served.header("x-request-id"));
        }
    }
}
