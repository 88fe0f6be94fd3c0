package dev.sluice.gateway;

import static dev.sluice.gateway.TaskClient.ASYNC;
import static dev.sluice.gateway.TaskClient.BODY;
import static dev.sluice.gateway.TaskClient.awaitStatus;
import static dev.sluice.gateway.TaskClient.call;
import static dev.sluice.gateway.TaskClient.count;
import static dev.sluice.gateway.TaskClient.json;
import static dev.sluice.gateway.TaskClient.operator;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A task whose request names a webhook")
final class WebhooksTest extends OnDatabase {
    static final String HOOK = "x-sluice-webhook: done\r\n";
    private static final String TALKING = BODY.replace("{\"model\"", "{\"metadata\":{\"job\":\"a\\u0000b\"},\"model\"");

    static String yaml(RawUpstream upstream, String concurrency, RawUpstream receiver) {
        return RunningGateway.oneProvider(upstream.url(), 4, concurrency)
                        .replace("    best-priority: 10\n", """
                            best-priority: 10
                            webhooks: [{id: done, url: "http://127.0.0.1:%d/in",
                                        secret: whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=}]
                        """.formatted(receiver.port()))
                + "webhooks: {allow-private: true}\n";
    }

    private RunningGateway gateway(RawUpstream upstream, String concurrency, RawUpstream receiver) {
        return RunningGateway.startOn(database, yaml(upstream, concurrency, receiver));
    }

    private static Answer ask(RunningGateway gateway, String body, String headers) throws IOException {
        return RawClient.exchange(gateway.port(), RawClient.chat(RunningGateway.KEY, body, headers));
    }

    private static String filed(RunningGateway gateway, String more) throws IOException {
        Answer answer = ask(gateway, TALKING, ASYNC + HOOK + more);
        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        return json(answer).path("id").asString();
    }

    private static JsonNode told(RawUpstream receiver, String task) {
        await("the webhook hears of it")
                .atMost(20, SECONDS)
                .until(() ->
                        receiver.calls().stream().anyMatch(call -> call.body().contains(task)));
        return JsonMapper.shared()
                .readTree(receiver.calls().stream()
                        .filter(call -> call.body().contains(task))
                        .findFirst()
                        .orElseThrow()
                        .body());
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = database.connect();
                Statement execute = connection.createStatement()) {
            execute.execute(statement);
        }
    }

    private void awaitCount(int count, String what) {
        await(count + " of " + what).atMost(20, SECONDS).until(() -> count(database, what) == count);
    }

    @Test
    void tellsItOfSuccessFailureAndCancellationWithoutTheAnswer() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    switch (turn.getAndIncrement()) {
                        case 0 -> call.json(200, "{\"secret\":\"answer\"}");
                        case 1 -> call.json(400, "{}");
                        default -> call.awaitClose();
                    }
                });
                RawUpstream receiver = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", receiver)) {
            String first = filed(gateway, "");
            JsonNode done = told(receiver, first);
            assertThat(done.propertyNames()).containsExactly("type", "timestamp", "data");
            assertThat(done.path("type").asString()).isEqualTo("task.succeeded");
            JsonNode data = done.path("data");
            assertThat(data.propertyNames())
                    .containsExactly(
                            "id",
                            "status",
                            "group",
                            "model",
                            "attempts",
                            "created_at",
                            "started_at",
                            "finished_at",
                            "error",
                            "metadata");
            assertThat(data.path("group").asString()).isEqualTo("research");
            assertThat(data.path("model").asString()).isEqualTo("chat");
            assertThat(data.path("error").isNull()).isTrue();
            assertThat(data.path("metadata").path("job").asString()).isEqualTo("a\0b");
            JsonNode shown = TaskClient.show(gateway, first);
            for (String same : List.of("id", "status", "attempts", "created_at", "started_at")) {
                assertThat(data.path(same)).as(same).isEqualTo(shown.path(same));
            }
            assertThat(done.path("timestamp")).isEqualTo(data.path("finished_at"));

            JsonNode failed = told(receiver, filed(gateway, ""));
            assertThat(failed.path("type").asString()).isEqualTo("task.failed");
            assertThat(failed.path("data").path("error").path("code").asString())
                    .isEqualTo("upstream_error");
            assertThat(failed.path("data").path("error").path("upstream_status").asInt())
                    .isEqualTo(400);

            String running = filed(gateway, "");
            awaitStatus(gateway, running, "running");
            String queued = filed(gateway, "");
            String lapsing = filed(gateway, "x-sluice-max-wait: 0.3\r\n");
            assertThat(told(receiver, lapsing)
                            .path("data")
                            .path("error")
                            .path("code")
                            .asString())
                    .isEqualTo("queue_timeout");
            for (String task : List.of(queued, running)) {
                call(gateway, "DELETE", task, RunningGateway.KEY);
                assertThat(told(receiver, task).path("type").asString()).isEqualTo("task.cancelled");
            }
            awaitCount(0, "webhook_delivery");
            assertThat(operator(gateway, "GET", "/metrics", "").body())
                    .contains("sluice_webhook_deliveries_total{result=\"delivered\"} 5.0");
        }
    }

    @Test
    void mustNameOneOfItsGroupAndBeAsynchronous() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RawUpstream receiver = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", receiver)) {
            Answer unknown = ask(gateway, BODY, ASYNC + "x-sluice-webhook: elsewhere\r\n");
            Answer useless = ask(gateway, BODY, HOOK);

            for (Answer refused : List.of(unknown, useless)) {
                assertThat(refused.status()).isEqualTo(400);
                assertThat(json(refused).path("error").path("code").asString()).isEqualTo("invalid_header");
                assertThat(json(refused).path("error").path("param").asString()).isEqualTo("x-sluice-webhook");
            }
            assertThat(json(useless).path("error").path("message").asString()).contains("prefer: respond-async");
            assertThat(upstream.calls()).isEmpty();
            gateway.awaitIdle();
        }
    }

    @Test
    void isToldAgainByTheScheduleThenIsADeadLetterThatAnOperatorCanTryAgain() throws Exception {
        AtomicInteger status = new AtomicInteger(500);
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RawUpstream receiver = RawUpstream.start(call -> call.json(status.get(), "{}"));
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", receiver)) {
            String task = filed(gateway, "");
            for (int attempt = 1; attempt < 8; attempt++) {
                int made = attempt;
                awaitCount(1, "webhook_delivery where status = 500 and attempts = " + made);
                assertThat(receiver.calls()).hasSize(made);
                // Time goes by.
                sql("update webhook_delivery set status = null, due = clock_timestamp()");
            }
            awaitCount(1, "webhook_delivery where gave_up is not null and attempts = 8");
            assertThat(receiver.calls())
                    .extracting(WebhooksTest::id)
                    .containsOnly(id(receiver.calls().getFirst()));
            assertThat(receiver.calls())
                    .extracting(RawUpstream.Call::body)
                    .containsOnly(receiver.calls().getFirst().body());
            await().atMost(20, SECONDS)
                    .until(() -> operator(gateway, "GET", "/metrics", "")
                            .body()
                            .contains("sluice_dead_letters{kind=\"webhook\"} 1.0"));

            JsonNode letter = json(operator(gateway, "GET", "/admin/dead-letters?group=research", ""))
                    .path("dead_letters")
                    .path(0);
            assertThat(letter.path("kind").asString()).isEqualTo("webhook");
            assertThat(letter.path("task").asString()).isEqualTo(task);
            assertThat(letter.path("webhook").asString()).isEqualTo("done");
            assertThat(letter.path("code").asString()).isEqualTo("webhook_status");
            assertThat(letter.path("status").asInt()).isEqualTo(500);

            String retry = "/admin/dead-letters/" + letter.path("id").asString() + "/retry";
            status.set(410);
            assertThat(operator(gateway, "POST", retry, "").status()).isEqualTo(200);
            awaitCount(1, "webhook_delivery where gave_up is not null and status = 410 and attempts = 1");
            status.set(200);
            assertThat(operator(gateway, "POST", retry, "").status()).isEqualTo(200);
            awaitCount(0, "webhook_delivery");
            assertThat(operator(gateway, "POST", retry, "").status()).isEqualTo(404);
        }
    }

    private static String id(RawUpstream.Call call) {
        return call.head()
                .lines()
                .filter(line -> line.startsWith("webhook-id: "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void isNotToldOfOnceItsClientDeletedIt() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RawUpstream receiver = RawUpstream.start(call -> call.json(500, "{}"));
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", receiver)) {
            String task = filed(gateway, "");
            awaitCount(1, "webhook_delivery where attempts = 1 and status = 500");

            call(gateway, "DELETE", task, RunningGateway.KEY);

            assertThat(count(database, "webhook_delivery")).isZero();
            assertThat(count(database, "task where metadata is null and request is null"))
                    .isEqualTo(1);
        }
    }
}
