package dev.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Explanation;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Place;
import dev.sluice.admission.Rejected;
import dev.sluice.postgres.tasks.DuplicateTaskException;
import dev.sluice.postgres.tasks.Job;
import dev.sluice.postgres.tasks.JobStore;
import dev.sluice.postgres.tasks.NewTask;
import dev.sluice.postgres.tasks.StoredTask;
import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import dev.sluice.postgres.tasks.StoredTask.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A durable task")
class TasksTest extends WithTasks {
    @Test
    void isPickedUpOnceAndEndsWithItsAnswerInTheTransactionThatReleasesIt() throws SQLException {
        UUID first = submit();
        UUID second = submit();

        Job job = pickOne();
        assertThat(job.task()).isEqualTo(first);
        assertThat(job.attempt()).isEqualTo(1);
        assertThat(new JobStore(schema.source(), schema.name(), "two")
                        .pick(Set.of(), 10)
                        .jobs())
                .isEmpty();
        assertThat(join(admission.take(first, job.epoch()))).isPresent();
        assertThat(stored(first).state()).isEqualTo(State.RUNNING);
        assertThat(stored(second).state()).isEqualTo(State.QUEUED);

        Answer answer = new Answer(200, "application/json", new byte[] {'1'});
        boolean released = join(admission.release(
                first, job.epoch(), jobs.finishing(job, Optional.empty(), Optional.of(answer), false)));

        assertThat(released).isTrue();
        StoredTask ended = stored(first);
        assertThat(ended.state()).isEqualTo(State.SUCCEEDED);
        assertThat(ended.response().orElseThrow().body()).containsExactly('1');
        assertThat(ended.finished()).isPresent();
        assertThat(pickOne().task()).isEqualTo(second);
    }

    @Test
    void isNotKeptWhenTheQueueIsFull() throws SQLException {
        submit();
        submit();
        submit();
        UUID refused = ids.next();

        assertThat(submit(refused, MaxWait.INHERIT, Optional.empty())).isInstanceOf(Rejected.class);

        assertThat(tasks.find(refused)).isEmpty();
        assertThat(schema.count("task")).isEqualTo(3);
    }

    @Test
    void isKnownByItsIdempotencyKeyAndAnotherBodyIsToldSo() throws SQLException {
        UUID first = ids.next();
        submit(first, MaxWait.INHERIT, Optional.of(new NewTask.Idempotency("key", "body")));

        assertThat(duplicate("body").task()).isEqualTo(first);
        assertThat(duplicate("body").sameBody()).isTrue();
        assertThat(duplicate("other").sameBody()).isFalse();
        assertThat(schema.count("task")).isEqualTo(1);
        assertThat(schema.count("active")).isEqualTo(1);
        assertThat(schema.count("waiting")).isZero();
    }

    private DuplicateTaskException duplicate(String body) {
        try {
            submit(ids.next(), MaxWait.INHERIT, Optional.of(new NewTask.Idempotency("key", body)));
        } catch (CompletionException e) {
            return (DuplicateTaskException) e.getCause();
        }
        throw new AssertionError("it was taken");
    }

    @Test
    void thatTheLedgerDoesNotKnowFailsAfterAMinuteAndALineOfABatchIsQueuedAgain() throws Exception {
        UUID known = submit();
        UUID young = ids.next();
        UUID lost = ids.next();
        UUID line = ids.next();
        try (Connection connection = schema.source().getConnection()) {
            for (UUID id : List.of(young, lost, line)) {
                tasks.insert(connection, task(id, Optional.empty()));
            }
        }
        schema.execute("update task set created = created - interval '2 minutes' where id <> '" + young + "'");
        schema.execute("update task set batch = '" + ids.next() + "', line = 1 where id = '" + line + "'");

        assertThat(tasks.failLost()).isEqualTo(1);
        assertThat(tasks.retryLostLines()).isEqualTo(1);

        assertThat(stored(lost).state()).isEqualTo(State.FAILED);
        for (UUID id : List.of(known, young)) {
            assertThat(stored(id).state().isFinal()).isFalse();
        }
        assertThat(tasks.failLost() + tasks.retryLostLines()).as("done once").isZero();
    }

    @Test
    void failsWithQueueTimeoutInTheBatchThatEvictsIt() throws SQLException {
        submit();
        UUID late = ids.next();
        submit(late, MaxWait.atMost(Duration.ofMillis(200)), Optional.empty());

        await().atMost(Duration.ofSeconds(10)).until(() -> schema.count("waiting") == 0);

        assertThat(stored(late).state()).isEqualTo(State.FAILED);
        assertThat(stored(late).failure().map(Failure::code)).contains("queue_timeout");
    }

    @Test
    void thatIsCancelledWhileItsAdmissionIsDecidedNeverStarts() throws SQLException {
        UUID first = submit();
        UUID second = submit();
        Job job = pickOne();

        assertThat(tasks.cancel(second)).isTrue();
        assertThat(tasks.cancel(second)).isFalse();
        join(admission.release(first, job.epoch()));
        admission.settled();

        assertThat(jobs.pick(Set.of(), 10).jobs()).isEmpty();
        assertThat(schema.count("waiting")).isZero();
        assertThat(schema.count("active")).isZero();
        assertThat(stored(second).state()).isEqualTo(State.CANCELLED);
    }

    @Test
    void thatAnOperatorEvictsFailsAndOneThatItsClientCancelsIsCancelled() throws SQLException {
        submit();
        UUID evicted = submit();
        UUID cancelled = submit();

        assertThat(join(admission.evict(evicted, Eviction.OPERATOR))).isTrue();
        assertThat(join(admission.evict(cancelled, Eviction.CANCELLED))).isTrue();
        assertThat(join(admission.evict(cancelled, Eviction.CANCELLED))).isFalse();

        assertThat(stored(evicted).failure().map(Failure::code)).contains("evicted");
        assertThat(stored(cancelled).state()).isEqualTo(State.CANCELLED);
    }

    @Test
    void whoseWorkerDiedIsExecutedByAnotherAndTheLateResultChangesNothing() throws SQLException {
        UUID id = submit();
        Job lost = pickOne();

        JobStore other = new JobStore(schema.source(), schema.name(), "two");
        await().atMost(Duration.ofSeconds(15)).until(() -> schema.count("job where picked is null") == 1);
        Job again = other.pick(Set.of(), 10).jobs().getFirst();
        boolean late = join(
                admission.release(id, lost.epoch(), jobs.finishing(lost, Optional.empty(), Optional.empty(), false)));

        assertThat(late).isFalse();
        assertThat(again.epoch()).isGreaterThan(lost.epoch());
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(stored(id).state()).isEqualTo(State.RUNNING);
    }

    @Test
    void isRetriedBehindWhatCameMeanwhile() throws SQLException {
        UUID failing = submit();
        Job job = pickOne();
        UUID fresh = submit();

        join(admission.release(
                failing,
                job.epoch(),
                connection -> jobs.retryLater(connection, job, Duration.ofMillis(10), Set.of("gpu-a"))));

        assertThat(stored(failing).state()).isEqualTo(State.QUEUED);
        await().atMost(Duration.ofSeconds(5)).until(() -> jobs.due(5).size() == 1);
        assertThat(jobs.due(5).getFirst().tried()).containsExactly("gpu-a");
        Ask again = Ask.async(failing, 100, List.of(Demand.one(MODEL)));
        join(admission
                .submit(again, (QueuedHook) connection -> jobs.queuedAgain(connection, failing))
                .decision());
        assertThat(jobs.due(5)).isEmpty();
        Job next = pickOne();
        assertThat(next.task()).isEqualTo(fresh);
        join(admission.release(fresh, next.epoch()));
        assertThat(pickOne().attempt()).isEqualTo(2);
    }

    @Test
    void thatIsHandedBackKeepsItsPlaceAndItsAttempts() throws SQLException {
        UUID first = submit();
        UUID second = submit();
        Job job = pickOne();

        assertThat(join(admission.handBack(first, job.epoch(), connection -> jobs.handBack(connection, job))))
                .isTrue();

        Job again = pickOne();
        assertThat(again.task()).isEqualTo(first);
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(stored(second).state()).isEqualTo(State.QUEUED);
    }

    @Test
    void thatRanWhenTheOnlyProcessDiedRunsAgainAtOnceAfterTheNextStart() throws SQLException {
        UUID id = submit();
        Job lost = pickOne();
        admission.close();

        admission = open("two");
        assertThat(join(admission.succeed())).isEqualTo(1);

        Job again = new JobStore(schema.source(), schema.name(), "two")
                .pick(Set.of(), 10)
                .jobs()
                .getFirst();
        assertThat(again.task()).isEqualTo(id);
        assertThat(again.epoch()).isGreaterThan(lost.epoch());
    }

    @Test
    void keepsNothingOfItsContentOnceItIsPurgedAndGoesWhenItsTimeIsOver() throws SQLException {
        UUID id = submit();
        assertThat(tasks.purge(id)).isFalse();
        Job job = pickOne();
        Answer answer = new Answer(200, "application/json", new byte[] {'1'});
        jobs.stage(job, answer);
        join(admission.release(id, job.epoch(), jobs.finishing(job, Optional.empty(), Optional.of(answer), true)));
        assertThat(stored(id).response().orElseThrow().body()).containsExactly('1');

        assertThat(tasks.purge(id)).isTrue();

        assertThat(stored(id).response()).isEmpty();
        assertThat(schema.count("task where request is not null")).isZero();
        assertThat(tasks.purgeOlder(Duration.ofHours(1))).isZero();
        assertThat(tasks.purgeOlder(Duration.ZERO)).isEqualTo(1);
        assertThat(tasks.counts().values()).containsOnly(0L);
    }

    @Test
    void standsInTheSamePlaceForThoseWhoAskForNoMoreThanThatAsForThoseWhoAskWhy() {
        UUID runs = submit();
        UUID next = submit();
        UUID last = submit();

        assertThat(admission.place(runs).orElseThrow().waits()).isFalse();
        for (UUID waits : List.of(next, last)) {
            Place place = admission.place(waits).orElseThrow();
            Explanation explained = admission.explain(waits).orElseThrow();
            assertThat(place.waits()).isTrue();
            assertThat(place.position()).isEqualTo(explained.position());
            assertThat(place.eta()).isEqualTo(explained.eta());
        }
        assertThat(admission.place(last).orElseThrow().position()).isEqualTo(2);
        assertThat(admission.place(ids.next())).isEmpty();
    }
}
