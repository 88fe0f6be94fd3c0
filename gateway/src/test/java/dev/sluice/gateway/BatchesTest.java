package dev.sluice.gateway;

import static dev.sluice.gateway.BatchClient.CHAT;
import static dev.sluice.gateway.BatchClient.ECHO;
import static dev.sluice.gateway.BatchClient.ask;
import static dev.sluice.gateway.BatchClient.asked;
import static dev.sluice.gateway.BatchClient.awaitBatch;
import static dev.sluice.gateway.BatchClient.call;
import static dev.sluice.gateway.BatchClient.content;
import static dev.sluice.gateway.BatchClient.get;
import static dev.sluice.gateway.BatchClient.ids;
import static dev.sluice.gateway.BatchClient.json;
import static dev.sluice.gateway.BatchClient.jsonLines;
import static dev.sluice.gateway.BatchClient.line;
import static dev.sluice.gateway.BatchClient.lines;
import static dev.sluice.gateway.BatchClient.range;
import static dev.sluice.gateway.BatchClient.said;
import static dev.sluice.gateway.BatchClient.uploaded;
import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static dev.sluice.gateway.TaskClient.count;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.gateway.RawUpstream.Script;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@DisplayName("A batch")
final class BatchesTest extends OnDatabase {
    @Test
    void goesFromTheInputToTheOutputInTheOrderOfItsLines() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(ECHO);
                RunningGateway gateway = gateway(upstream, "{limit: 4, queue: 20}", "")) {
            String input = uploaded(gateway, lines(60));

            Answer answer = ask(gateway, input, ",\"completion_window\":\"24h\",\"metadata\":{\"a\":\"b\"}");

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            JsonNode asked = json(answer);
            assertThat(asked.path("object").asString()).isEqualTo("batch");
            assertThat(asked.path("status").asString()).isEqualTo("validating");
            assertThat(asked.path("endpoint").asString()).isEqualTo(CHAT);
            assertThat(asked.path("input_file_id").asString()).isEqualTo(input);
            assertThat(asked.path("metadata").path("a").asString()).isEqualTo("b");
            assertThat(asked.path("expires_at").asLong()
                            - asked.path("created_at").asLong())
                    .isBetween(86_399L, 86_401L);
            assertThat(asked.path("output_file_id").isNull()).isTrue();
            String id = asked.path("id").asString();
            JsonNode done = awaitBatch(gateway, id, "completed");
            assertThat(done.path("request_counts").path("total").asInt()).isEqualTo(60);
            assertThat(done.path("request_counts").path("completed").asInt()).isEqualTo(60);
            assertThat(done.path("request_counts").path("failed").asInt()).isZero();
            assertThat(done.path("error_file_id").isNull()).isTrue();
            assertThat(done.path("completed_at").asLong())
                    .isGreaterThanOrEqualTo(done.path("finalizing_at").asLong())
                    .isGreaterThanOrEqualTo(done.path("in_progress_at").asLong());
            List<JsonNode> results =
                    jsonLines(content(gateway, done.path("output_file_id").asString()));
            assertThat(ids(results)).isEqualTo(range(1, 60));
            for (int i = 0; i < 60; i++) {
                JsonNode result = results.get(i);
                assertThat(result.path("id").asString()).startsWith("batch_req_");
                assertThat(result.path("error").isNull()).isTrue();
                assertThat(result.path("response").path("status_code").asInt()).isEqualTo(200);
                assertThat(result.path("response").path("request_id").asString())
                        .hasSize(36);
                assertThat(result.path("response").path("body").path("said").asString())
                        .isEqualTo("say " + (i + 1));
            }
            assertThat(upstream.calls()).hasSize(60);
            assertThat(upstream.calls().getFirst().head().toLowerCase(java.util.Locale.ROOT))
                    .contains("content-type: application/json");
            await("its lines are deleted").atMost(10, SECONDS).until(() -> count(database, "task") == 0);
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void saysOfEachWrongLineWhatIsWrongAndRunsNone() throws Exception {
        String good = line("ok", "x").strip();
        String input = String.join(
                "\n",
                good,
                "",
                "{not json",
                "[1]",
                good,
                good.replace("\"ok\"", "7"),
                good.replace("ok", "m").replace("POST", "GET"),
                good.replace("ok", "u").replace(CHAT, "/v1/embeddings"),
                good.replace("ok", "b").replaceAll("\"body\":.*", "\"body\":[]}"),
                good.replace("ok", "n").replace("\"chat\"", "\"nobody\""),
                good.replace("ok", "s").replace("\"model\"", "\"stream\":true,\"model\""),
                good.replace("ok", "t").replace("\"messages\":[", "\"messages\":[7,"),
                good.replace("ok", "x") + "{}");
        try (RawUpstream upstream = RawUpstream.start(ECHO);
                RunningGateway gateway = gateway(upstream, "{limit: 4, queue: 20}", "")) {
            JsonNode failed = awaitBatch(gateway, asked(gateway, uploaded(gateway, input), "1h"), "failed");

            assertThat(failed.path("failed_at").asLong()).isPositive();
            assertThat(failed.path("errors").path("object").asString()).isEqualTo("list");
            assertThat(failed.path("errors")
                            .path("data")
                            .valueStream()
                            .map(fault -> fault.path("line").asInt() + " "
                                    + fault.path("code").asString() + " "
                                    + fault.path("param").asString("-")))
                    .containsExactly(
                            "3 invalid_json_line -",
                            "4 invalid_json_line -",
                            "5 duplicate_custom_id custom_id",
                            "6 missing_required_parameter custom_id",
                            "7 invalid_method method",
                            "8 invalid_url url",
                            "9 missing_required_parameter body",
                            "10 model_not_found body.model",
                            "11 invalid_request body.stream",
                            "12 invalid_request body.messages",
                            "13 invalid_json_line -");
            assertThat(upstream.calls()).isEmpty();
            assertThat(count(database, "task")).isZero();
        }
    }

    @Test
    void endsAsFailedIfItsInputIsNotInUtf8() throws Exception {
        List<byte[]> inputs = new ArrayList<>();
        for (String wide :
                List.of("UTF-16", "UTF-16LE", "UTF-16BE", "X-UTF-16LE-BOM", "UTF-32", "UTF-32LE", "UTF-32BE")) {
            inputs.add(line("r2", "x").strip().getBytes(Charset.forName(wide)));
        }
        inputs.add(("\ufeff" + line("r2", "x")).getBytes(UTF_8));
        inputs.add(new byte[] {(byte) 0xff, (byte) 0xfe});
        inputs.add(new byte[] {0, 0, (byte) 0xfe, (byte) 0xff});
        inputs.add(new byte[] {0});
        try (RawUpstream upstream = RawUpstream.start(ECHO);
                RunningGateway gateway = gateway(upstream, "{limit: 4, queue: 20}", "")) {
            List<String> alone = new ArrayList<>();
            List<String> second = new ArrayList<>();
            for (byte[] input : inputs) {
                String text = new String(input, ISO_8859_1);
                alone.add(asked(gateway, uploaded(gateway, text, ISO_8859_1), "1h"));
                second.add(asked(gateway, uploaded(gateway, line("r1", "x") + text, ISO_8859_1), "1h"));
            }

            for (String batch : alone) {
                assertThat(places(awaitBatch(gateway, batch, "failed"))).containsExactly("1 invalid_json_line");
            }
            for (String batch : second) {
                assertThat(places(awaitBatch(gateway, batch, "failed"))).containsExactly("2 invalid_json_line");
            }
            assertThat(upstream.calls()).isEmpty();
        }
    }

    private static List<String> places(JsonNode failed) {
        return failed.path("errors")
                .path("data")
                .valueStream()
                .map(fault ->
                        fault.path("line").asInt() + " " + fault.path("code").asString())
                .toList();
    }

    @Test
    void isRefusedForAnInputWithoutLinesOrWithTooManyOrWithEndlessFaults() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(ECHO);
                RunningGateway gateway = gateway(upstream, "{limit: 4, queue: 20}", "batches: {max-lines: 5}\n")) {
            assertThat(faults(gateway, "\n \n")).containsExactly("empty_file");
            assertThat(faults(gateway, lines(6))).containsExactly("too_many_lines");
        }
        try (RawUpstream upstream = RawUpstream.start(ECHO);
                RunningGateway gateway = gateway(upstream, "{limit: 4, queue: 20}", "http: {max-body: 1KiB}\n")) {
            assertThat(faults(gateway, lines(1) + line("long", "x".repeat(2_000))))
                    .containsExactly("line_too_long");
            assertThat(faults(gateway, "x\n".repeat(300))).hasSize(100);
        }
    }

    private static List<String> faults(RunningGateway gateway, String input) throws Exception {
        JsonNode failed = awaitBatch(gateway, asked(gateway, uploaded(gateway, input), "24h"), "failed");
        return failed.path("errors")
                .path("data")
                .valueStream()
                .map(fault -> fault.path("code").asString())
                .toList();
    }

    @Test
    void thatIsAskedForWronglyIsRefusedWithTheFieldThatIsWrong() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(ECHO);
                RunningGateway gateway = gateway(upstream, "{limit: 4, queue: 20}", "")) {
            String input = uploaded(gateway, lines(1));
            String window = ",\"completion_window\":\"24h\"";
            assertThat(param(ask(gateway, input, ""))).isEqualTo("400 completion_window");
            assertThat(param(ask(gateway, input, ",\"completion_window\":\"8d\"")))
                    .isEqualTo("400 completion_window");
            assertThat(param(ask(gateway, input, window + ",\"metadata\":{\"a\":1}")))
                    .isEqualTo("400 metadata");
            assertThat(param(ask(gateway, input, window + ",\"output_expires_after\":{\"seconds\":1}")))
                    .isEqualTo("400 output_expires_after");
            assertThat(param(ask(gateway, input, "/v1/models", window))).isEqualTo("400 endpoint");
            assertThat(param(ask(gateway, "file-x", window))).isEqualTo("404 input_file_id");
            assertThat(param(ask(gateway, "file-" + "0".repeat(32), window))).isEqualTo("404 input_file_id");
            Answer foreign = RawClient.exchange(
                    gateway.port(),
                    RawClient.post(
                            "/v1/batches",
                            RunningGateway.OTHER_KEY,
                            "{\"input_file_id\":\"" + input + "\",\"endpoint\":\"" + CHAT + "\"" + window + "}",
                            ""));
            assertThat(param(foreign)).isEqualTo("404 input_file_id");
            assertThat(count(database, "batch")).isZero();
        }
    }

    private static String param(Answer refused) {
        return refused.status() + " "
                + json(refused).path("error").path("param").asString("null");
    }

    @Test
    void belongsToItsGroupAndIsListedPageByPage() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(ECHO);
                RunningGateway gateway = gateway(upstream, "{limit: 4, queue: 20}", "")) {
            String input = uploaded(gateway, lines(1));
            List<String> ids =
                    List.of(asked(gateway, input, "24h"), asked(gateway, input, "30m"), asked(gateway, input, "7d"));

            JsonNode first = json(get(gateway, "/v1/batches?limit=2"));
            assertThat(first.path("has_more").asBoolean()).isTrue();
            assertThat(first.path("first_id").asString()).isEqualTo(ids.get(2));
            JsonNode rest = json(get(
                    gateway,
                    "/v1/batches?limit=2&after=" + first.path("last_id").asString()));
            assertThat(rest.path("data")).hasSize(1);
            assertThat(rest.path("first_id").asString()).isEqualTo(ids.get(0));
            assertThat(rest.path("has_more").asBoolean()).isFalse();
            assertThat(param(get(gateway, "/v1/batches?after=batch_" + "0".repeat(32))))
                    .isEqualTo("400 after");
            assertThat(param(call(gateway, "GET", "/v1/batches?after=" + ids.get(0), RunningGateway.OTHER_KEY)))
                    .isEqualTo("400 after");
            for (String id : ids) {
                String path = "/v1/batches/" + id;
                assertThat(call(gateway, "GET", path, RunningGateway.OTHER_KEY).status())
                        .isEqualTo(404);
                assertThat(call(gateway, "POST", path + "/cancel", RunningGateway.OTHER_KEY)
                                .status())
                        .isEqualTo(404);
                awaitBatch(gateway, id, "completed");
            }
            assertThat(json(call(gateway, "GET", "/v1/batches", RunningGateway.OTHER_KEY))
                            .path("data"))
                    .isEmpty();
            assertThat(get(gateway, "/v1/batches/batch_1").status()).isEqualTo(404);
            assertThat(call(gateway, "PUT", "/v1/batches", RunningGateway.KEY).status())
                    .isEqualTo(405);
        }
    }

    @Test
    void keepsRefusedAndBrokenRequestsApartFromTheOthers() throws Exception {
        Script script = call -> {
            switch (said(call)) {
                case "say 2" -> call.json(400, "{\"error\":{\"message\":\"too hot\"}}");
                case "say 3" -> call.json(500, "not json");
                default -> ECHO.answer(call);
            }
        };
        try (RawUpstream upstream = RawUpstream.start(script);
                RunningGateway gateway = gateway(upstream, "{limit: 4, queue: 20}", "")) {
            JsonNode done = awaitBatch(gateway, asked(gateway, uploaded(gateway, lines(4)), "24h"), "completed");

            assertThat(done.path("request_counts").path("completed").asInt()).isEqualTo(2);
            assertThat(done.path("request_counts").path("failed").asInt()).isEqualTo(2);
            assertThat(ids(jsonLines(
                            content(gateway, done.path("output_file_id").asString()))))
                    .containsExactly("r1", "r4");
            List<JsonNode> errors =
                    jsonLines(content(gateway, done.path("error_file_id").asString()));
            assertThat(ids(errors)).containsExactly("r2", "r3");
            assertThat(errors.get(0).path("response").path("status_code").asInt())
                    .isEqualTo(400);
            assertThat(errors.get(0)
                            .path("response")
                            .path("body")
                            .path("error")
                            .path("message")
                            .asString())
                    .isEqualTo("too hot");
            assertThat(errors.get(1).path("response").path("body").asString()).isEqualTo("not json");
            assertThat(errors).allMatch(error -> error.path("error").isNull());
        }
    }

    @Test
    void leavesHalfOfAQueueToOthersAndKeepsOnlySomeLinesWaiting() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream, "{limit: 2, queue: 10}", "")) {
            String id = asked(gateway, uploaded(gateway, lines(50)), "24h");

            await("the queue is used")
                    .atMost(20, SECONDS)
                    .until(() -> gateway.snapshot().queueDepth() == 5);
            await("its progress is noted")
                    .during(2, SECONDS)
                    .atMost(10, SECONDS)
                    .until(() -> gateway.snapshot().queueDepth() == 5 && upstream.running() == 2);
            assertThat(TaskClient.file(gateway, "").status()).isEqualTo(202);
            assertThat(call(gateway, "POST", "/v1/batches/" + id + "/cancel", RunningGateway.KEY)
                            .status())
                    .isEqualTo(200);
            await("upstreams are closed")
                    .atMost(10, SECONDS)
                    .until(() -> upstream.calls().size() == 3);
        }
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream, "{}", "batches: {waiting: 3}\n")) {
            asked(gateway, uploaded(gateway, lines(50)), "24h");

            await("few lines wait")
                    .during(1, SECONDS)
                    .atMost(20, SECONDS)
                    .until(() -> gateway.snapshot().queueDepth() == 3 && upstream.running() == 4);
        }
    }

    @Test
    void runsAfterTheRequestsOfClientsWhoWait() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        Script script = call -> {
            if (turn.getAndIncrement() == 0) {
                await().atMost(20, SECONDS).until(() -> turn.get() < 0);
            }
            ECHO.answer(call);
        };
        try (RawUpstream upstream = RawUpstream.start(script);
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 20}", "")) {
            String id = asked(gateway, uploaded(gateway, lines(5)), "24h");
            gateway.awaitWaiting(4);
            String task = TaskClient.filed(gateway);
            try (RawClient client = RawClient.connect(gateway.port())) {
                client.send(RawClient.chat(TaskClient.BODY.replace("hi", "interactive")));
                gateway.awaitWaiting(6);

                turn.set(-100);

                assertThat(client.answer().status()).isEqualTo(200);
            }
            awaitBatch(gateway, id, "completed");
            TaskClient.awaitStatus(gateway, task, "succeeded");
            assertThat(upstream.calls().stream().map(BatchClient::said))
                    .containsExactly("say 1", "interactive", "hi", "say 2", "say 3", "say 4", "say 5");
        }
    }
}
