package dev.sluice.gateway;

import static dev.sluice.gateway.TaskClient.ASYNC;
import static dev.sluice.gateway.TaskClient.BODY;
import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static dev.sluice.gateway.TaskClient.awaitStatus;
import static dev.sluice.gateway.TaskClient.call;
import static dev.sluice.gateway.TaskClient.count;
import static dev.sluice.gateway.TaskClient.file;
import static dev.sluice.gateway.TaskClient.filed;
import static dev.sluice.gateway.TaskClient.json;
import static dev.sluice.gateway.TaskClient.operator;
import static dev.sluice.gateway.TaskClient.show;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@DisplayName("A request whose client does not wait")
final class AsyncTasksTest extends OnDatabase {
    @Test
    void gets202WithTheTaskAndLaterTheAnswerInIt() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{\"choices\":[1.50]}"));
                RunningGateway gateway = gateway(upstream, "{limit: 2, queue: 5}", "")) {
            Answer answer = file(gateway, "openai-beta: x\r\n");

            assertThat(answer.status()).isEqualTo(202);
            String task = json(answer).path("id").asString();
            assertThat(answer.header("location")).isEqualTo("/v1/tasks/" + task);
            assertThat(answer.header("x-request-id")).isEqualTo(task);
            assertThat(answer.header("preference-applied")).isEqualTo("respond-async");
            assertThat(json(answer).propertyNames())
                    .containsExactly(
                            "id",
                            "status",
                            "position",
                            "eta_seconds",
                            "attempts",
                            "created_at",
                            "started_at",
                            "finished_at",
                            "error",
                            "response");
            JsonNode ended = awaitStatus(gateway, task, "succeeded");
            assertThat(ended.path("attempts").asInt()).isEqualTo(1);
            assertThat(ended.path("error").isNull()).isTrue();
            assertThat(ended.path("finished_at").asString())
                    .isGreaterThanOrEqualTo(ended.path("started_at").asString())
                    .isGreaterThanOrEqualTo(ended.path("created_at").asString());
            assertThat(call(gateway, "GET", task, RunningGateway.KEY).body())
                    .contains("\"response\":{\"choices\":[1.50]}");
            assertThat(upstream.calls()).hasSize(1);
            RawUpstream.Call sent = upstream.calls().getFirst();
            assertThat(sent.head().toLowerCase(Locale.ROOT))
                    .contains("openai-beta: x", "x-request-id: " + task, "authorization: bearer upstream-secret")
                    .doesNotContain("prefer", "idempotency");
            assertThat(sent.body()).isEqualTo(BODY.replace("\"chat\"", "\"served/name\""));
            awaitNothingHeld(gateway, database);
            assertThat(operator(gateway, "GET", "/metrics", "").body())
                    .contains("sluice_admission_decisions_total{outcome=\"admitted\"} 1.0");
            await().atMost(10, SECONDS)
                    .until(() -> operator(gateway, "GET", "/metrics", "")
                            .body()
                            .contains("sluice_tasks{status=\"succeeded\"} 1.0"));
        }
    }

    @Test
    void thatWantedAStreamGetsItsAnswerInOnePiece() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = gateway(upstream, "{limit: 2, queue: 5}", "")) {
            String body =
                    "{\"stream\" : true,\"stream_options\":{\"include_usage\":true},\"seed\":1e3, " + BODY.substring(1);
            String task = json(RawClient.exchange(
                            gateway.port(), RawClient.chat(RunningGateway.KEY, body.replace("1e3", "1000"), ASYNC)))
                    .path("id")
                    .asString();

            awaitStatus(gateway, task, "succeeded");

            assertThat(upstream.calls().getFirst().body())
                    .isEqualTo("{\"stream\" : false,\"stream_options\":null,\"seed\":1000, "
                            + BODY.substring(1).replace("\"chat\"", "\"served/name\""));
        }
    }

    @Test
    void belongsToItsGroupAlone() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = gateway(upstream, "{limit: 2, queue: 5}", "")) {
            String task = filed(gateway);
            awaitStatus(gateway, task, "succeeded");

            for (String method : List.of("GET", "DELETE")) {
                assertThat(call(gateway, method, task, RunningGateway.OTHER_KEY).status())
                        .isEqualTo(404);
                assertThat(call(gateway, method, task, "sk-nobody").status()).isEqualTo(401);
                assertThat(call(gateway, method, task.replace('0', '1'), RunningGateway.KEY)
                                .status())
                        .isEqualTo(404);
                assertThat(call(gateway, method, "x", RunningGateway.KEY).status())
                        .isEqualTo(404);
            }
            assertThat(call(gateway, "PUT", task, RunningGateway.KEY).status()).isEqualTo(405);
            assertThat(show(gateway, task).path("response").isObject()).isTrue();
        }
    }

    @Test
    void isRefusedAsTheTableSaysWhenTheQueueIsFullOrThereIsNone() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 2}", "")) {
            for (int i = 0; i < 3; i++) {
                filed(gateway);
            }

            Answer refused = file(gateway, "");
            Answer noWait = file(gateway, "x-sluice-max-wait: 0\r\n");

            assertThat(refused.status()).isEqualTo(429);
            assertThat(json(refused).path("error").path("code").asString()).isEqualTo("queue_full");
            assertThat(refused.header("retry-after")).matches("[1-9][0-9]?");
            assertThat(noWait.status()).isEqualTo(429);
            assertThat(json(noWait).path("error").path("code").asString()).isEqualTo("concurrency_limit_exceeded");
            assertThat(count(database, "task")).isEqualTo(3);
        }
    }

    @Test
    void withAnIdempotencyKeyIsTheSameTaskAgainAlsoAtAnotherGatewayAndLater() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"))) {
            String task;
            try (RunningGateway gateway = gateway(upstream, "{limit: 2, queue: 5}", "")) {
                task = json(file(gateway, "idempotency-key: k\r\n")).path("id").asString();
                awaitStatus(gateway, task, "succeeded");
            }
            try (RunningGateway gateway = gateway(upstream, "{limit: 2, queue: 5}", "")) {
                Answer again = file(gateway, "idempotency-key: k\r\n");
                Answer other = RawClient.exchange(
                        gateway.port(),
                        RawClient.chat(RunningGateway.KEY, BODY.replace("hi", "ho"), ASYNC + "idempotency-key: k\r\n"));

                assertThat(again.status()).isEqualTo(202);
                assertThat(again.header("location")).isEqualTo("/v1/tasks/" + task);
                assertThat(json(again).path("status").asString()).isEqualTo("succeeded");
                assertThat(other.status()).isEqualTo(422);
                assertThat(json(other).path("error").path("code").asString()).isEqualTo("idempotency_mismatch");
                assertThat(json(file(gateway, "idempotency-key: l\r\n"))
                                .path("id")
                                .asString())
                        .isNotEqualTo(task);
                await().atMost(10, SECONDS).until(() -> upstream.calls().size() == 2);
            }
        }
    }

    @Test
    void showsItsPlaceWhileItIsQueuedAndLeavesWhenItIsCancelled() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", "")) {
            String first = filed(gateway);
            awaitStatus(gateway, first, "running");
            String second = filed(gateway);
            String third = filed(gateway);

            assertThat(show(gateway, second).path("position").asInt()).isEqualTo(1);
            assertThat(show(gateway, third).path("position").asInt()).isEqualTo(2);
            assertThat(json(operator(gateway, "GET", "/admin/queue", ""))
                            .path("waiting_async")
                            .asInt())
                    .isEqualTo(2);

            JsonNode cancelled = json(call(gateway, "DELETE", second, RunningGateway.KEY));

            assertThat(cancelled.path("status").asString()).isEqualTo("cancelled");
            assertThat(cancelled.path("error").path("code").asString()).isEqualTo("cancelled");
            gateway.awaitWaiting(1);
            await().atMost(10, SECONDS)
                    .until(() -> show(gateway, third).path("position").asInt() == 1);
            assertThat(upstream.running()).isEqualTo(1);
        }
    }

    @Test
    void thatEndedKeepsNothingOfItsContentOnceItIsDeleted() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{\"a\":1}"));
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", "")) {
            String task = filed(gateway);
            awaitStatus(gateway, task, "succeeded");

            JsonNode purged = json(call(gateway, "DELETE", task, RunningGateway.KEY));

            assertThat(purged.path("status").asString()).isEqualTo("succeeded");
            assertThat(purged.path("response").isNull()).isTrue();
            assertThat(count(database, "task where request is not null or response is not null"))
                    .isZero();
        }
    }

    @Test
    void isDeletedWhenItsTimeIsOver() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", "workers: {retention: 1s}\n")) {
            String task = filed(gateway);

            await("it is deleted")
                    .atMost(30, SECONDS)
                    .until(() -> call(gateway, "GET", task, RunningGateway.KEY).status() == 404);

            assertThat(count(database, "task")).isZero();
            assertThat(upstream.calls()).hasSize(1);
        }
    }

    @Test
    void canBeMovedAndEvictedByAnOperator() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", "")) {
            String runs = filed(gateway);
            awaitStatus(gateway, runs, "running");
            String second = filed(gateway);
            String third = filed(gateway);

            JsonNode listed = json(operator(
                            gateway, "GET", "/admin/admissions?status=waiting&group=research&model=chat&limit=9", ""))
                    .path("admissions");
            assertThat(listed.size()).isEqualTo(2);
            assertThat(listed.get(0).path("task").asString()).isEqualTo(second);
            assertThat(listed.get(0).path("mode").asString()).isEqualTo("async");
            assertThat(operator(gateway, "POST", "/admin/admissions/" + third + "/priority", "{\"priority\":5}")
                            .status())
                    .isEqualTo(200);
            assertThat(json(operator(gateway, "GET", "/admin/admissions/" + third, ""))
                            .path("position")
                            .asInt())
                    .isEqualTo(1);
            await().atMost(10, SECONDS).until(() -> count(database, "task where priority = 5") == 1);
            assertThat(operator(gateway, "DELETE", "/admin/admissions/" + second, "")
                            .status())
                    .isEqualTo(200);
            assertThat(awaitStatus(gateway, second, "failed")
                            .path("error")
                            .path("code")
                            .asString())
                    .isEqualTo("evicted");
            assertThat(operator(gateway, "DELETE", "/admin/admissions/" + second, "")
                            .status())
                    .isEqualTo(404);
            assertThat(operator(gateway, "DELETE", "/admin/admissions/" + runs, "")
                            .status())
                    .isEqualTo(409);
            assertThat(operator(gateway, "POST", "/admin/admissions/" + third + "/priority", "{}")
                            .status())
                    .isEqualTo(400);
            assertThat(operator(gateway, "PUT", "/admin/admissions/" + third, "")
                            .status())
                    .isEqualTo(405);
        }
    }

    @Test
    void isToldWhatToConfigureWhenNothingIsKept() throws Exception {
        try (RunningGateway gateway =
                RunningGateway.start(RunningGateway.oneProvider("http://127.0.0.1:9/v1", 1, "{limit: 1}"))) {
            Answer refused = file(gateway, "");

            assertThat(refused.status()).isEqualTo(400);
            assertThat(json(refused).path("error").path("param").asString()).isEqualTo("prefer");
            assertThat(json(refused).path("error").path("message").asString()).contains("database.mode");
            assertThat(call(gateway, "GET", "00000000-0000-7000-8000-000000000000", RunningGateway.KEY)
                            .status())
                    .isEqualTo(404);
        }
    }
}
