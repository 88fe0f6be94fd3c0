package dev.sluice.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.gateway.config.ApiKey;
import dev.sluice.postgres.embedded.OpenFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@DisplayName("The command serve")
final class ServeTest {
    private static final Pattern READY = Pattern.compile("is ready: API http://127\\.0\\.0\\.1:(\\d+)/v1");
    private static final Pattern KEY = Pattern.compile("sk-[A-Za-z0-9_-]{32,}");
    private static final String BODY =
            "{\"model\":\"%s\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"max_tokens\":%d,\"ignore_eos\":true}";

    // The embedded server may run as another user, who must be able to pass.
    @TempDir(factory = OpenFolder.class, cleanup = CleanupMode.NEVER)
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    private Process sluice(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        started.add(process);
        return process;
    }

    private Process serve() throws IOException {
        return sluice("serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0");
    }

    /** For what has nothing to do with the database. */
    private Process serveInMemory() throws IOException {
        Files.writeString(folder.resolve("memory.yaml"), """
                listen: 127.0.0.1:0
                admin: {listen: "127.0.0.1:0"}
                database: {mode: memory}
                platforms:
                  - id: sim
                    providers:
                      - {id: sim, type: simulated, capacity: 8, simulated: {time-to-first-token: 20ms, tokens-per-second: 80}}
                models: [{id: sim-small, served-by: [{platform: sim, model: m}]}]
                groups: [{id: quickstart, concurrency: {limit: 8}, keys: [{name: k, sha256: %s}]}]
                """.formatted(ApiKey.sha256(RunningGateway.KEY)));
        return sluice("serve", "--config", "memory.yaml");
    }

    /** What it prints up to the line that says it is ready. */
    private static String untilReady(Process process) throws IOException {
        StringBuilder seen = new StringBuilder();
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            seen.append(line).append('\n');
            if (line.contains(" is ready")) {
                return seen.toString();
            }
        }
        throw new AssertionError("it ended after:\n" + seen);
    }

    private static String find(Pattern pattern, String text, int group) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(group);
    }

    @Test
    void withoutAFileItPrintsAKeyThatWorksAndKeepsIt() throws Exception {
        Process process = serve();
        String printed = untilReady(process);
        int port = Integer.parseInt(find(READY, printed, 1));
        String key = find(KEY, printed, 0);

        Answer answer = RawClient.exchange(port, RawClient.chat(key, BODY.formatted("sim-small", 3), ""));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).contains("\"completion_tokens\":3");
        assertThat(printed).contains("curl http://127.0.0.1:" + port + "/v1/chat/completions");
        process.destroy();
        assertThat(process.waitFor(20, SECONDS)).isTrue();
        assertThat(folder.resolve("data/cluster")).isDirectory();
        assertThat(find(KEY, untilReady(serve()), 0)).isEqualTo(key);
    }

    @Test
    void twiceItContinuesTheTasksOfTheFirstTimeAlsoWhenThatWasKilled() throws Exception {
        Process first = serve();
        String printed = untilReady(first);
        String key = find(KEY, printed, 0);
        List<String> tasks = new ArrayList<>();
        // Some end soon; more than can run at once take seconds, so that at the kill there are tasks of every state.
        for (int i = 0; i < 24; i++) {
            tasks.add(file(port(printed), key, tokens(i)));
        }
        await().atMost(20, SECONDS)
                .until(() -> statuses(port(printed), key, tasks).contains("succeeded"));
        List<String> before = statuses(port(printed), key, tasks);
        System.out.println("killed at " + before);

        first.destroyForcibly().waitFor();
        String again = untilReady(serve());

        assertThat(before).contains("succeeded", "running", "queued");
        await("all tasks end")
                .atMost(90, SECONDS)
                .until(() -> Set.copyOf(statuses(port(again), key, tasks)).equals(Set.of("succeeded")));
        for (int i = 0; i < tasks.size(); i++) {
            JsonNode task = show(port(again), key, tasks.get(i));
            assertThat(task.path("response")
                            .path("usage")
                            .path("completion_tokens")
                            .asInt())
                    .isEqualTo(tokens(i));
            if (before.get(i).equals("succeeded")) {
                assertThat(task.path("attempts").asInt()).isEqualTo(1);
            }
        }
        int admin = Integer.parseInt(find(Pattern.compile("admin http://127\\.0\\.0\\.1:(\\d+)/"), again, 1));
        await("no slot leaks")
                .atMost(10, SECONDS)
                .until(() -> !RawClient.exchange(admin, "GET /admin/queue HTTP/1.1\r\nhost: localhost\r\n\r\n")
                        .body()
                        .matches(".*\"active\":[1-9].*"));
    }

    private static int port(String printed) {
        return Integer.parseInt(find(READY, printed, 1));
    }

    private static int tokens(int task) {
        return task < 4 ? 10 : 320;
    }

    private static String file(int port, String key, int tokens) throws IOException {
        Answer filed =
                RawClient.exchange(port, RawClient.chat(key, BODY.formatted("sim-small", tokens), TaskClient.ASYNC));
        assertThat(filed.status()).as(filed.body()).isEqualTo(202);
        return TaskClient.json(filed).path("id").asString();
    }

    private static JsonNode show(int port, String key, String task) throws IOException {
        return TaskClient.json(RawClient.exchange(
                port, "GET /v1/tasks/" + task + " HTTP/1.1\r\nhost: g\r\nx-api-key: " + key + "\r\n\r\n"));
    }

    private static List<String> statuses(int port, String key, List<String> tasks) throws IOException {
        List<String> statuses = new ArrayList<>();
        for (String task : tasks) {
            statuses.add(show(port, key, task).path("status").asString());
        }
        return statuses;
    }

    @Test
    void sigtermLetsWhatRunsEndAndExitsWithZero() throws Exception {
        Process process = serveInMemory();
        String printed = untilReady(process);
        int port = Integer.parseInt(find(READY, printed, 1));
        try (RawClient client =
                RawClient.connect(port).send(RawClient.chat(RunningGateway.KEY, BODY.formatted("sim-small", 80), ""))) {
            await().atMost(10, SECONDS).until(() -> running(port, printed));

            process.destroy();

            assertThat(client.answer().status()).isEqualTo(200);
            assertThat(process.waitFor(20, SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        }
    }

    private static boolean running(int port, String printed) throws IOException {
        int admin = Integer.parseInt(find(Pattern.compile("admin http://127\\.0\\.0\\.1:(\\d+)/"), printed, 1));
        String queue = RawClient.exchange(admin, "GET /admin/queue HTTP/1.1\r\nhost: localhost:" + port + "\r\n\r\n")
                .body();
        return queue.contains("\"key\":\"quickstart\",\"limit\":8,\"active\":1");
    }

    @Test
    void aSecondSigtermEndsItAtOnce() throws Exception {
        Process process = serveInMemory();
        String printed = untilReady(process);
        int port = Integer.parseInt(find(READY, printed, 1));
        try (RawClient client = RawClient.connect(port)
                .send(RawClient.chat(RunningGateway.KEY, BODY.formatted("sim-small", 100_000), ""))) {
            await().atMost(10, SECONDS).until(() -> running(port, printed));
            process.destroy();
            await("it drains")
                    .atMost(10, SECONDS)
                    .until(() -> RawClient.exchange(port, "GET /readyz HTTP/1.1\r\nhost: g\r\n\r\n")
                                    .status()
                            == 503);
            assertThat(process.isAlive()).isTrue();

            process.destroy();

            assertThat(process.waitFor(10, SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
            assertThat(client.closedByServer()).isTrue();
        }
    }

    @Test
    void aFaultyFileIsNamedByLineAndNothingStarts() throws Exception {
        Files.writeString(folder.resolve("bad.yaml"), "listen: nowhere\nunknown: 1\n");

        Process process = sluice("serve", "--config", "bad.yaml");

        assertThat(process.waitFor(20, SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(folder.resolve("err")).content().contains("bad.yaml:1: ", "bad.yaml:2: ");
    }

    @Test
    void anAddressInUseIsSaidInOneLineAndNothingIsMade() throws Exception {
        int port = Integer.parseInt(find(READY, untilReady(serveInMemory()), 1));
        List<List<String>> starts = List.of(
                List.of("serve", "--config", "memory.yaml", "--listen", "127.0.0.1:" + port),
                List.of("serve", "--listen", "127.0.0.1:" + port, "--admin-listen", "127.0.0.1:0"),
                List.of("serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:" + port));

        for (List<String> start : starts) {
            Process second = sluice(start.toArray(String[]::new));

            assertThat(second.waitFor(20, SECONDS)).isTrue();
            assertThat(second.exitValue()).isEqualTo(1);
            assertThat(folder.resolve("err"))
                    .content()
                    .contains("cannot start: 127.0.0.1:" + port, "--admin-listen")
                    .doesNotContain("\tat ");
        }
        assertThat(folder.resolve("data")).doesNotExist();
    }
}
