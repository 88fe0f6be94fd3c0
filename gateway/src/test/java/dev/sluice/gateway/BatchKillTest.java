package dev.sluice.gateway;

import static dev.sluice.gateway.BatchClient.asked;
import static dev.sluice.gateway.BatchClient.awaitBatch;
import static dev.sluice.gateway.BatchClient.content;
import static dev.sluice.gateway.BatchClient.jsonLines;
import static dev.sluice.gateway.BatchClient.lines;
import static dev.sluice.gateway.BatchClient.uploaded;
import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static dev.sluice.gateway.TaskClient.count;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@DisplayName("When a gateway dies in the middle of a batch")
final class BatchKillTest extends OnDatabase {
    private static final int LINES = 400;

    @TempDir
    private Path folder;

    @Test
    void anotherOneGoesOnAndEveryLineHasOneResult() throws Exception {
        RawUpstream.Script slow = call -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            call.json(200, "{\"said\":1}");
        };
        try (RawUpstream upstream = RawUpstream.start(slow)) {
            String yaml = RunningGateway.oneProvider(upstream.url(), 4, "{limit: 4, queue: 40, lease-ttl: 3s}");
            String id;
            // It takes the batch over, and then nobody else does before its lease lapses.
            try (ChildGateway child = ChildGateway.start(folder, database, yaml);
                    RunningGateway survivor = RunningGateway.startOn(database, yaml)) {
                id = asked(survivor, uploaded(survivor, lines(LINES)), "24h");
                await("it is in the middle")
                        .atMost(60, SECONDS)
                        .until(() -> upstream.calls().size() > LINES / 3);
                child.kill();

                JsonNode done = awaitBatch(survivor, id, "completed");

                assertThat(done.path("request_counts").path("completed").asInt())
                        .isEqualTo(LINES);
                List<String> ids = jsonLines(
                                content(survivor, done.path("output_file_id").asString()))
                        .stream()
                        .map(result -> result.path("custom_id").asString())
                        .toList();
                assertThat(ids)
                        .isEqualTo(IntStream.rangeClosed(1, LINES)
                                .mapToObj(i -> "r" + i)
                                .toList());
                // Only what the dead one executed may have reached the upstream twice.
                assertThat(upstream.calls()).hasSizeBetween(LINES, LINES + 4);
                await("its lines are deleted").atMost(10, SECONDS).until(() -> count(database, "task") == 0);
                awaitNothingHeld(survivor, database);
            }
        }
    }

    @Test
    void theNextStartGoesOnWhereItWas() throws Exception {
        RawUpstream.Script slow = call -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            call.json(200, "{\"said\":1}");
        };
        try (RawUpstream upstream = RawUpstream.start(slow)) {
            String yaml = RunningGateway.oneProvider(upstream.url(), 4, "{limit: 4, queue: 40, lease-ttl: 3s}");
            String input;
            String id;
            try (ChildGateway child = ChildGateway.start(folder, database, yaml)) {
                input = BatchClient.json(BatchClient.upload(
                                child.port(), RunningGateway.KEY, lines(LINES), BatchClient.field("purpose", "batch")))
                        .path("id")
                        .asString();
                id = BatchClient.json(BatchClient.ask(child.port(), input, ",\"completion_window\":\"24h\""))
                        .path("id")
                        .asString();
                await("it is in the middle")
                        .atMost(60, SECONDS)
                        .until(() -> upstream.calls().size() > LINES / 3);
                child.kill();
            }
            assertThat(upstream.calls().size()).isLessThan(LINES);
            try (RunningGateway next = RunningGateway.startOn(database, yaml)) {
                JsonNode done = awaitBatch(next, id, "completed");

                assertThat(done.path("request_counts").path("completed").asInt())
                        .isEqualTo(LINES);
                assertThat(jsonLines(content(next, done.path("output_file_id").asString())))
                        .hasSize(LINES);
                awaitNothingHeld(next, database);
            }
        }
    }
}
