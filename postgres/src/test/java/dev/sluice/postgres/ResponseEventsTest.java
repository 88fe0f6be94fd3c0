package dev.sluice.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.postgres.responses.EventStore;
import dev.sluice.postgres.responses.EventStore.Events;
import dev.sluice.postgres.responses.EventStore.Mark;
import dev.sluice.postgres.responses.NewResponse;
import dev.sluice.postgres.responses.ResponseStore;
import dev.sluice.postgres.tasks.Job;
import dev.sluice.postgres.tasks.NewTask;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The kept events of a response")
class ResponseEventsTest extends OnSchema {
    private EventStore events;
    private ResponseStore responses;

    @BeforeEach
    void start() {
        events = new EventStore(schema.source(), schema.name());
        responses = new ResponseStore(schema.source(), schema.name());
    }

    /** A task of the response {@code resp_1} that {@code worker} executes under this epoch. */
    private Job running(String worker, long epoch) throws Exception {
        UUID id = ids.next();
        try (Connection connection = schema.source().getConnection()) {
            tasks.insert(
                    connection,
                    new NewTask(id, "g", "m", "/v1/responses", 1, false, new byte[] {1}, "", Optional.empty()));
            responses.insert(
                    connection,
                    new NewResponse(
                            "g", "resp_" + epoch, Optional.of(id), true, "{}".getBytes(UTF_8), new byte[0], List.of()));
        }
        schema.execute("update task set state = 'running', worker = '" + worker + "', epoch = " + epoch
                + " where id = '" + id + "'");
        return job(id, epoch);
    }

    private static Job job(UUID id, long epoch) {
        return new Job(id, epoch, "g", "m", "/v1/responses", 1, new byte[] {1}, "", Set.of());
    }

    private static Events row(long first, int count) {
        return new Events(first, count, ("row " + first).getBytes(UTF_8));
    }

    private List<Long> firsts(Job job, long from) throws SQLException {
        return events.from(List.of(new Mark(job.task(), from))).getFirst().stream()
                .map(Events::first)
                .toList();
    }

    @Test
    void areReadFromAnyPlaceInTheirOrder() throws Exception {
        Job one = running("w", 1);
        Job two = running("w", 2);
        assertThat(events.next(one.task())).isEqualTo(EventStore.FIRST);
        for (int i = 0; i < 6; i++) {
            assertThat(events.append(one, "w", row(2 + 3L * i, 3))).isTrue();
        }
        assertThat(events.append(two, "w", row(2, 1))).isTrue();

        assertThat(events.next(one.task())).isEqualTo(20);
        assertThat(firsts(one, 0)).containsExactly(2L, 5L, 8L, 11L);
        assertThat(firsts(one, 7)).containsExactly(5L, 8L, 11L, 14L);
        assertThat(firsts(one, 8)).startsWith(8L);
        assertThat(firsts(one, 19)).containsExactly(17L);
        assertThat(firsts(one, 20)).isEmpty();
        List<List<Events>> both =
                events.from(List.of(new Mark(two.task(), 2), new Mark(one.task(), 17), new Mark(two.task(), 3)));
        assertThat(both.get(0)).extracting(Events::first).containsExactly(2L);
        assertThat(both.get(1)).extracting(Events::first).containsExactly(17L);
        assertThat(both.get(2)).isEmpty();
    }

    @Test
    void areOnlyFromWhoeverHoldsTheNewestGrant() throws Exception {
        Job old = running("w", 1);
        assertThat(events.append(old, "w", row(2, 1))).isTrue();
        assertThat(events.append(old, "another", row(3, 1))).isFalse();
        schema.execute("update task set epoch = 2, worker = 'v'");

        assertThat(events.append(old, "w", row(3, 1))).isFalse();
        assertThat(events.append(job(old.task(), 2), "v", row(3, 1))).isTrue();
        schema.execute("update task set state = 'cancelled', finished = clock_timestamp()");
        assertThat(events.append(job(old.task(), 2), "v", row(4, 1))).isFalse();
        assertThat(events.next(old.task())).isEqualTo(4);
    }

    @Test
    void areNotTakenAnyMoreOnceANewAttemptBegins() throws Exception {
        Job old = running("w", 1);
        try (Connection begins = schema.source().getConnection()) {
            begins.setAutoCommit(false);
            try (var statement = begins.createStatement()) {
                statement.execute("update " + schema.name() + ".task set epoch = 2, worker = 'v'");
            }
            CompletableFuture<Boolean> late = CompletableFuture.supplyAsync(() -> {
                try {
                    return events.append(old, "w", row(2, 1));
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await("it waits for the row")
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> schema.count("pg_locks where not granted and locktype = 'transactionid'") > 0);
            begins.commit();

            assertThat(late.get()).isFalse();
            assertThat(events.next(old.task())).isEqualTo(EventStore.FIRST);
        }
    }

    @Test
    void goWithTheirResponseAndThatWithItsTask() throws Exception {
        Job one = running("w", 1);
        Job two = running("w", 2);
        events.append(one, "w", row(2, 1));
        events.append(two, "w", row(2, 1));

        assertThat(responses.delete("g", "resp_1")).isTrue();
        assertThat(responses.delete("g", "resp_1")).isFalse();
        assertThat(schema.count("response_event")).isEqualTo(1);
        assertThat(events.append(one, "w", row(3, 1))).isFalse();
        schema.execute("update task set state = 'failed', finished = clock_timestamp()");
        assertThat(tasks.purgeOlder(Duration.ZERO)).isEqualTo(2);
        assertThat(schema.count("response")).isZero();
        assertThat(schema.count("response_event")).isZero();
    }

    @Test
    void belongToAResponseThatAClientsAnswerCannotReplace() throws Exception {
        running("w", 1);
        responses.keep(new NewResponse(
                "g", "resp_1", Optional.empty(), false, "{\"a\":1}".getBytes(UTF_8), new byte[0], List.of()));
        responses.keep(new NewResponse(
                "g", "resp_x", Optional.empty(), false, "{\"a\":1}".getBytes(UTF_8), new byte[0], List.of()));
        responses.keep(new NewResponse(
                "g", "resp_x", Optional.empty(), false, "{\"a\":2}".getBytes(UTF_8), new byte[0], List.of()));

        assertThat(responses.find("g", "resp_1").orElseThrow().task()).isPresent();
        assertThat(responses.find("g", "resp_x").orElseThrow().body()).isEqualTo("{\"a\":2}".getBytes(UTF_8));
        assertThat(responses.find("other", "resp_x")).isEmpty();
        assertThat(responses.purgeOlder(Duration.ofHours(1))).isZero();
        assertThat(responses.purgeOlder(Duration.ZERO)).isEqualTo(1);
        assertThat(schema.count("response")).isEqualTo(1);
    }
}
