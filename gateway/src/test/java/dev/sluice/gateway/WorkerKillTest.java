package dev.sluice.gateway;

import static dev.sluice.gateway.TaskClient.ASYNC;
import static dev.sluice.gateway.TaskClient.BODY;
import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static dev.sluice.gateway.TaskClient.awaitStatus;
import static dev.sluice.gateway.TaskClient.count;
import static dev.sluice.gateway.TaskClient.file;
import static dev.sluice.gateway.TaskClient.json;
import static dev.sluice.gateway.TaskClient.show;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.tasks.Step;
import dev.sluice.postgres.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

@DisplayName("When a gateway dies or freezes in the middle of a task")
final class WorkerKillTest {
    private static final int TASKS = 3;

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();
    private TestDatabase database;

    @BeforeEach
    void create() throws SQLException {
        database = TestDatabase.withFreshSchema();
    }

    @AfterEach
    void end() throws Exception {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
        database.close();
    }

    private Process child(String yaml, String step) throws IOException {
        Path file = Files.writeString(folder.resolve("gateway.yaml"), yaml);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WorkerChild.class.getName(),
                        database.url(),
                        database.serverUrl(),
                        database.user(),
                        database.password(),
                        database.schema(),
                        file.toString(),
                        step)
                .redirectError(folder.resolve("err").toFile())
                .start();
        started.add(process);
        return process;
    }

    private static int port(Process child) throws IOException {
        BufferedReader out = child.inputReader(UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("port ")) {
                return Integer.parseInt(line.substring("port ".length()));
            }
        }
        throw new AssertionError("the child ended before it was ready");
    }

    private static String yaml(RawUpstream upstream) {
        return RunningGateway.oneProvider(upstream.url(), 4, "{limit: 1, queue: 9, lease-ttl: 3s}");
    }

    private static String key(int task) {
        return "idempotency-key: task-" + task + "\r\n";
    }

    /** The gateway may die before it answers: then nobody knows whether the task was taken over. */
    private static void fileBlindly(int port) {
        for (int i = 0; i < TASKS; i++) {
            try {
                RawClient.exchange(port, RawClient.chat(RunningGateway.KEY, BODY, ASYNC + key(i)));
            } catch (IOException died) {
                return;
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void noTaskIsLostAndNoSlotLeaks(Step step) throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{\"said\":1}"))) {
            Process child = child(yaml(upstream), step.name());
            fileBlindly(port(child));
            assertThat(child.waitFor(30, SECONDS)).isTrue();
            assertThat(child.exitValue()).isEqualTo(9);
            int callsBefore = upstream.calls().size();

            try (RunningGateway survivor = RunningGateway.startOn(database, yaml(upstream))) {
                List<String> tasks = new ArrayList<>();
                for (int i = 0; i < TASKS; i++) {
                    tasks.add(json(file(survivor, key(i))).path("id").asString());
                }
                for (String task : tasks) {
                    JsonNode ended = awaitStatus(survivor, task, "succeeded");
                    assertThat(ended.path("response").path("said").asInt()).isEqualTo(1);
                }
                awaitNothingHeld(survivor, database);
                assertThat(count(database, "task")).isEqualTo(TASKS);
                boolean unanswered = step == Step.SENT || step == Step.ANSWERED;
                // Only a task whose upstream had begun to work is executed a second time.
                assertThat(upstream.calls()).hasSizeBetween(TASKS, TASKS + (unanswered ? 1 : 0));
                assertThat(callsBefore).isLessThanOrEqualTo(1);
                assertThat(show(survivor, tasks.getFirst()).path("attempts").asInt())
                        .isEqualTo(step == Step.STORED ? 1 : 2);
            }
        }
    }

    @Test
    void aWebhookHearsOfATaskWhoseGatewayDiedBetweenTheEndAndTheMessage() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RawUpstream receiver = RawUpstream.start(call -> call.json(200, "{}"))) {
            String yaml = WebhooksTest.yaml(upstream, "{limit: 1, queue: 9, lease-ttl: 3s}", receiver);
            Process child = child(yaml, Step.STORED.name());
            int port = port(child);
            try {
                RawClient.exchange(port, RawClient.chat(RunningGateway.KEY, BODY, ASYNC + WebhooksTest.HOOK));
            } catch (IOException died) {
                // It may die before it answers.
            }
            assertThat(child.waitFor(30, SECONDS)).isTrue();
            assertThat(count(database, "task where state = 'succeeded'")).isEqualTo(1);
            assertThat(count(database, "webhook_delivery")).isEqualTo(1);

            try (RunningGateway survivor = RunningGateway.startOn(database, yaml)) {
                await("the other gateway delivers")
                        .atMost(20, SECONDS)
                        .until(() -> count(database, "webhook_delivery") == 0);
                assertThat(receiver.calls()).hasSize(1);
                assertThat(receiver.calls().getFirst().body()).contains("task.succeeded");
                awaitNothingHeld(survivor, database);
            }
        }
    }

    @Test
    void aWorkerThatWasFrozenLongerThanItsLeaseChangesNothingWhenItReturns() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        RawUpstream.Script script = call -> {
            if (turn.getAndIncrement() == 0) {
                call.awaitClose();
            } else {
                call.json(200, "{\"said\":2}");
            }
        };
        try (RawUpstream upstream = RawUpstream.start(script)) {
            Process child = child(yaml(upstream), "none");
            RawClient.exchange(port(child), RawClient.chat(RunningGateway.KEY, BODY, ASYNC + key(0)));
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            signal(child, "STOP");

            try (RunningGateway survivor = RunningGateway.startOn(database, yaml(upstream))) {
                String task = json(file(survivor, key(0))).path("id").asString();
                assertThat(awaitStatus(survivor, task, "succeeded")
                                .path("attempts")
                                .asInt())
                        .isEqualTo(2);
                assertThat(upstream.running()).isEqualTo(1);

                signal(child, "CONT");

                await("its upstream is closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
                assertThat(show(survivor, task).path("response").path("said").asInt())
                        .isEqualTo(2);
                assertThat(upstream.calls()).hasSize(2);
                awaitNothingHeld(survivor, database);
            }
        }
    }

    @Test
    void theEventsOfAResponseKeepTheirNumbersAndGoOnBehindThem() throws Exception {
        var rest = new CountDownLatch(1);
        try (RawUpstream upstream = RawUpstream.start(call -> ResponsesClient.stream(call, rest))) {
            Process child = child(yaml(upstream), "none");
            List<JsonNode> shown;
            try (RawClient client = RawClient.connect(port(child))) {
                client.send(ResponsesClient.request(
                        "{\"model\":\"chat\",\"input\":\"hi\",\"background\":true,\"stream\":true}", ""));
                client.head();
                StringBuilder seen = new StringBuilder();
                while (!seen.toString().contains("\"delta\":\"b\"")) {
                    seen.append(client.chunk());
                }
                shown = ResponsesClient.events(seen.toString());
            }
            child.destroyForcibly().waitFor();
            rest.countDown();
            String id = shown.getFirst().path("response").path("id").asString();

            try (RunningGateway survivor = RunningGateway.startOn(database, yaml(upstream))) {
                List<JsonNode> events = ResponsesClient.events(
                        ResponsesClient.call(survivor, "GET", id + "?stream=true", RunningGateway.KEY)
                                .body());

                assertThat(events.subList(0, shown.size())).isEqualTo(shown);
                assertThat(ResponsesClient.types(events.subList(shown.size(), events.size())))
                        .startsWith("response.in_progress", "response.output_text.delta")
                        .endsWith("response.completed");
                assertThat(ResponsesClient.numbers(events))
                        .isEqualTo(IntStream.range(0, events.size()).boxed().toList());
                assertThat(upstream.calls()).hasSize(2);
                awaitNothingHeld(survivor, database);
            }
        }
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }
}
