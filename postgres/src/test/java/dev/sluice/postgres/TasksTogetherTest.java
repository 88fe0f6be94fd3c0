package dev.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Demand;
import dev.sluice.postgres.tasks.DuplicateTaskException;
import dev.sluice.postgres.tasks.Job;
import dev.sluice.postgres.tasks.JobStore;
import dev.sluice.postgres.tasks.NewTask;
import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import dev.sluice.postgres.tasks.StoredTask.State;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A durable task among others of its batch")
class TasksTogetherTest extends WithTasks {
    @Test
    void thatIsADuplicateTakesBackItselfAloneAmongManyThatShareATransaction() throws SQLException {
        List<CompletionStage<Decision>> decisions = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            UUID id = ids.next();
            Optional<NewTask.Idempotency> key =
                    Optional.of(new NewTask.Idempotency("key-" + (i == 30 ? 3 : i), "body"));
            decisions.add(admission
                    .submit(Ask.async(id, 100, List.of(Demand.one(WIDE))), tasks.keeping(task(id, key)))
                    .decision());
        }

        for (int i = 0; i < decisions.size(); i++) {
            CompletionStage<Decision> decision = decisions.get(i);
            if (i == 30) {
                assertThatThrownBy(() -> join(decision)).hasCauseInstanceOf(DuplicateTaskException.class);
            } else {
                assertThat(join(decision)).isInstanceOf(Admitted.class);
            }
        }
        assertThat(schema.count("task")).isEqualTo(39);
        assertThat(schema.count("job")).isEqualTo(39);
        assertThat(schema.count("active")).isEqualTo(39);
    }

    @Test
    void thatTheDatabaseRefusesTakesBackItselfAloneAndWhatHooksOfTheSameBatchDidStays() throws SQLException {
        List<CompletionStage<Decision>> decisions = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            UUID id = ids.next();
            NewTask task = i == 17
                    ? new NewTask(id, "nul\0", "large", "/v1/x", 100, false, new byte[0], "", Optional.empty())
                    : task(id, Optional.empty());
            QueuedHook hook =
                    i % 3 == 0 ? (RepeatableHook) connection -> tasks.insert(connection, task) : tasks.keeping(task);
            decisions.add(admission
                    .submit(Ask.async(id, 100, List.of(Demand.one(WIDE))), hook)
                    .decision());
        }

        assertThatThrownBy(() -> join(decisions.remove(17))).hasRootCauseInstanceOf(SQLException.class);
        assertThat(decisions).allSatisfy(decision -> assertThat(join(decision)).isInstanceOf(Admitted.class));
        assertThat(schema.count("task")).isEqualTo(39);
        assertThat(schema.count("job")).isEqualTo(39);
    }

    @Test
    void endsWithManyOthersInOneCallAndOneWithoutItsGrantChangesNothing() throws SQLException {
        List<UUID> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            UUID id = ids.next();
            all.add(id);
            join(admission
                    .submit(Ask.async(id, 100, List.of(Demand.one(WIDE))), tasks.keeping(task(id, Optional.empty())))
                    .decision());
        }
        List<Job> picked = jobs.pick(Set.of(), 50).jobs();
        assertThat(picked).extracting(Job::task).containsExactlyInAnyOrderElementsOf(all);
        schema.execute("update task set epoch = epoch + 1 where id = '%s'".formatted(all.getFirst()));

        List<CompletionStage<Boolean>> ends = picked.stream()
                .map(job -> admission.release(
                        job.task(),
                        job.epoch(),
                        jobs.finishing(
                                job,
                                job.task().equals(all.get(1))
                                        ? Optional.of(new Failure("api_error", "upstream_error", "no"))
                                        : Optional.empty(),
                                Optional.of(new Answer(200, "text/plain", new byte[] {(byte) all.indexOf(job.task())})),
                                false)))
                .toList();

        assertThat(ends).allSatisfy(end -> assertThat(join(end)).isTrue());
        assertThat(stored(all.getFirst()).state()).isEqualTo(State.RUNNING);
        assertThat(stored(all.get(1)).state()).isEqualTo(State.FAILED);
        for (int i = 2; i < all.size(); i++) {
            assertThat(stored(all.get(i)).state()).isEqualTo(State.SUCCEEDED);
            assertThat(stored(all.get(i)).response().orElseThrow().body()).containsExactly(i);
        }
        assertThat(schema.count("job")).isZero();
    }

    @Test
    void whoseRowSomebodyHoldsIsLeftForTheNextLookAndTheJobOfOneThatIsGoneIsNot() throws Exception {
        UUID held = submitWide();
        UUID gone = submitWide();
        UUID free = submitWide();
        schema.execute("delete from task where id = '%s'".formatted(gone));
        try (Connection connection = schema.source().getConnection()) {
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("select 1 from %s.task where id = '%s' for update".formatted(schema.name(), held));
            }

            JobStore.Picked picked = jobs.pick(Set.of(), 10);

            assertThat(picked.jobs()).extracting(Job::task).containsExactly(free);
            assertThat(picked.ended()).containsOnlyKeys(gone);
        }
        assertThat(jobs.pick(Set.of(free, gone), 10).jobs())
                .extracting(Job::task)
                .containsExactly(held);
    }

    private UUID submitWide() {
        UUID id = ids.next();
        join(admission
                .submit(Ask.async(id, 100, List.of(Demand.one(WIDE))), tasks.keeping(task(id, Optional.empty())))
                .decision());
        return id;
    }

    @Test
    void thatIsCancelledTogetherWithAllBehindItHoldsUpNobody() throws SQLException {
        UUID first = submit();
        List<UUID> behind = List.of(submit(), submit());
        Job job = pickOne();
        for (UUID each : behind) {
            assertThat(tasks.cancel(each)).isTrue();
        }

        // Its room goes to the next, who has ended too, and so on.
        join(admission.release(first, job.epoch()));
        admission.settled();

        assertThat(schema.count("waiting")).isZero();
        assertThat(schema.count("active")).isZero();
        UUID next = submit();
        assertThat(pickOne().task()).isEqualTo(next);
    }

    @Test
    void thatIsCancelledTogetherWithAllBehindItHoldsUpNoStart() throws SQLException {
        UUID first = submit();
        List<UUID> behind = List.of(submit(), submit());
        Job job = pickOne();
        admission.close();
        for (UUID each : behind) {
            assertThat(tasks.cancel(each)).isTrue();
        }

        // With room for all, the first decision after the tables were read admits both.
        admission = open("two", 3);
        await().atMost(Duration.ofSeconds(20)).until(() -> schema.count("waiting") == 0);

        assertThat(join(admission.release(first, job.epoch()))).isTrue();
        assertThat(schema.count("active")).isZero();
        assertThat(join(admission.audit())).isZero();
    }

    @Test
    @DisplayName("is picked up and ended without a look at those that wait, also by plans from before they came")
    void isFoundByItsIdAlone() throws SQLException {
        schema.execute(
                "insert into task (id, owner, model, path, state, finished)"
                        + " select gen_random_uuid(), 'research', 'large', '/v1/x', 'succeeded', now() from generate_series(1, 5000)");
        schema.execute("vacuum analyze task");
        schema.execute("insert into task (id, owner, model, path)"
                + " select gen_random_uuid(), 'research', 'large', '/v1/x' from generate_series(1, 3000)");
        UUID id = submit();

        assertThat(tasksRead("select count(*) from pick_jobs('one', '{}', 10)")).isBetween(1, 100);
        assertThat(tasksRead("select end_tasks('ok', array['%s'], array['cancelled'])".formatted(id)))
                .isBetween(1, 100);
    }

    /** How many rows of the table of tasks the server looks at for a question whose answer is 1. */
    private static int tasksRead(String question) throws SQLException {
        try (Connection connection = schema.database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            assertThat(number(statement, question)).isEqualTo(1);
            int read = number(
                    statement,
                    "select idx_tup_fetch + seq_tup_read from pg_stat_xact_user_tables where relid = 'task'::regclass");
            connection.rollback();
            return read;
        }
    }

    private static int number(Statement statement, String question) throws SQLException {
        try (ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getInt(1);
        }
    }
}
