package dev.sluice.gateway;

import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static dev.sluice.gateway.TaskClient.awaitStatus;
import static dev.sluice.gateway.TaskClient.filed;
import static dev.sluice.gateway.TaskClient.operator;
import static dev.sluice.gateway.TaskClient.status;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.config.ApiKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A task that waits when a reload takes away")
final class RemovedGroupsTest extends OnDatabase {
    @TempDir
    private Path folder;

    private Path write(RawUpstream upstream, String groups) throws IOException {
        String models = RunningGateway.oneProvider(upstream.url(), 4, "{limit: 1, queue: 9}");
        String head = """
                listen: 127.0.0.1:0
                admin: {listen: "127.0.0.1:0", token: operator}
                database: {mode: external, url: "%s", schema: %s, user: "%s", password: "%s"}
                """.formatted(database.serverUrl(), database.schema(), database.user(), database.password());
        return Files.writeString(
                folder.resolve("sluice.yaml"), head + models.substring(0, models.indexOf("groups:")) + groups);
    }

    /** Files two tasks of which one waits, takes something away from their group, and looks what becomes of them. */
    private void takeAway(String groupsThen) throws Exception {
        Semaphore go = new Semaphore(0);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    go.acquire();
                    call.json(200, "{}");
                });
                RunningGateway gateway = RunningGateway.startFrom(
                        write(upstream, RunningGateway.groups()),
                        Map.of(
                                "KEY_SHA256",
                                ApiKey.sha256(RunningGateway.KEY),
                                "OTHER_KEY_SHA256",
                                ApiKey.sha256(RunningGateway.OTHER_KEY)))) {
            await("it reaches its database")
                    .atMost(20, SECONDS)
                    .until(() -> operator(gateway, "GET", "/metrics", "").body().contains("sluice_ledger_available 1"));
            String running = filed(gateway);
            awaitStatus(gateway, running, "running");
            String waiting = filed(gateway);

            write(upstream, groupsThen);
            assertThat(operator(gateway, "POST", "/admin/reload", "").status()).isEqualTo(200);
            gateway.awaitWaiting(0);
            write(upstream, RunningGateway.groups());
            assertThat(operator(gateway, "POST", "/admin/reload", "").status()).isEqualTo(200);

            assertThat(awaitStatus(gateway, waiting, "failed")
                            .path("error")
                            .path("code")
                            .asString())
                    .isEqualTo("evicted");
            assertThat(status(gateway, running)).isEqualTo("running");
            go.release();
            awaitStatus(gateway, running, "succeeded");
            assertThat(upstream.calls()).hasSize(1);
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void itsGroupFailsAsEvictedAndWhatRunsGoesOn() throws Exception {
        String groups = RunningGateway.groups();
        takeAway("groups:\n" + groups.substring(groups.indexOf("  - id: visitors")));
    }

    @Test
    void itsGroupsRightToTheModelFailsAsEvicted() throws Exception {
        takeAway(RunningGateway.groups().replace("priority: 100", "models: [other]\n    priority: 100"));
    }
}
