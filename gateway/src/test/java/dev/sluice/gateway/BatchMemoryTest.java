package dev.sluice.gateway;

import static dev.sluice.gateway.BatchClient.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.postgres.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@DisplayName("A batch whose input is larger than the memory")
final class BatchMemoryTest {
    @TempDir
    private Path folder;

    @Test
    void isUploadedCheckedRunAndServed() throws Exception {
        run(folder, 1_000, 80_000, "-Xmx64m");
    }

    /** @param lineBytes of each line, the break included */
    static void run(Path folder, int lines, int lineBytes, String memory) throws Exception {
        try (TestDatabase database = TestDatabase.withFreshSchema();
                ChildGateway child = ChildGateway.start(
                        folder,
                        database,
                        """
                        platforms:
                          - id: here
                            providers:
                              - id: sim
                                type: simulated
                                capacity: 32
                                simulated: {time-to-first-token: 1ms, tokens-per-second: 1000000}
                        models:
                          - {id: chat, served-by: [{platform: here, model: m}]}
                          - {id: other, served-by: [{platform: here, model: o}]}
                        workers: {slots: 32}
                        %s""".formatted(RunningGateway.groups()),
                        memory,
                        "-XX:+ExitOnOutOfMemoryError")) {
            String input = upload(child.port(), lines, lineBytes);
            Answer asked = BatchClient.ask(child.port(), input, ",\"completion_window\":\"24h\"");
            String path = "/v1/batches/" + json(asked).path("id").asString();
            await("it is done").atMost(20, MINUTES).until(() -> {
                assertThat(child.isAlive()).as("the gateway has enough memory").isTrue();
                return !json(BatchClient.get(child.port(), path))
                        .path("completed_at")
                        .isNull();
            });

            JsonNode done = json(BatchClient.get(child.port(), path));
            assertThat(done.path("request_counts").path("completed").asInt()).isEqualTo(lines);
            assertThat(served(child.port(), done.path("output_file_id").asString()))
                    .isEqualTo(lines);
        }
    }

    private static String upload(int port, int lines, int lineBytes) throws Exception {
        String head = BatchClient.field("purpose", "batch")
                + "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n";
        String tail = "\r\n--b0--\r\n";
        long length = head.length() + (long) lines * lineBytes + tail.length();
        try (RawClient client = RawClient.connect(port)) {
            client.send("POST /v1/files HTTP/1.1\r\nhost: g\r\nauthorization: Bearer " + RunningGateway.KEY
                    + "\r\ncontent-type: multipart/form-data; boundary=b0\r\ncontent-length: " + length + "\r\n\r\n"
                    + head);
            int frame = BatchClient.line("0000000", "").length();
            String filling = "word ".repeat(lineBytes / 5 + 1).substring(0, lineBytes - frame);
            for (int i = 0; i < lines; i++) {
                client.send(BatchClient.line("%07d".formatted(i), filling));
            }
            client.send(tail);
            Answer answer = client.answer();
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(json(answer).path("bytes").asLong()).isEqualTo((long) lines * lineBytes);
            return json(answer).path("id").asString();
        }
    }

    /** How many results there are. */
    private static int served(int port, String file) throws Exception {
        try (RawClient client = RawClient.connect(port)) {
            client.send("GET /v1/files/" + file + "/content HTTP/1.1\r\nhost: g\r\nauthorization: Bearer "
                    + RunningGateway.KEY + "\r\n\r\n");
            Answer answer = client.answer();
            assertThat(answer.header("content-length"))
                    .isEqualTo(Integer.toString(answer.body().getBytes(UTF_8).length));
            return (int) answer.body().lines().distinct().count();
        }
    }
}
