package dev.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Demand;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.postgres.tasks.Job;
import dev.sluice.postgres.tasks.JobStore;
import dev.sluice.postgres.tasks.NewTask;
import dev.sluice.postgres.tasks.StoredTask;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A ledger with tasks, and short words for what tests ask of both. */
abstract class WithTasks extends OnSchema {
    static final Scope MODEL = Scope.platformModel("on-prem", "large");

    static final Scope WIDE = Scope.platformModel("on-prem", "wide");

    PostgresAdmission admission;
    JobStore jobs;

    @BeforeEach
    void start() {
        admission = open("one");
        jobs = new JobStore(schema.source(), schema.name(), "one");
    }

    PostgresAdmission open(String holder) {
        return open(holder, 1);
    }

    PostgresAdmission open(String holder, int limit) {
        PostgresAdmission opened = PostgresAdmission.start(
                schema.source(),
                Policies.NONE.with(MODEL, ScopePolicy.limit(limit).queue(2).leaseTtl(Duration.ofSeconds(3))),
                Options.of(schema.name(), holder));
        await().atMost(Duration.ofSeconds(20)).until(opened::isAvailable);
        return opened;
    }

    @AfterEach
    void stop() {
        admission.close();
    }

    static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    static NewTask task(UUID id, Optional<NewTask.Idempotency> key) {
        return new NewTask(id, "research", "large", "/v1/x", 100, false, new byte[] {'{', '}'}, "", key);
    }

    Decision submit(UUID id, MaxWait wait, Optional<NewTask.Idempotency> key) {
        Ask ask = Ask.async(id, 100, List.of(Demand.one(MODEL))).within(wait);
        return join(admission
                .submit(ask, (QueuedHook) connection -> tasks.insert(connection, task(id, key)))
                .decision());
    }

    UUID submit() {
        UUID id = ids.next();
        assertThat(submit(id, MaxWait.INHERIT, Optional.empty())).isNotInstanceOf(Rejected.class);
        return id;
    }

    StoredTask stored(UUID id) throws SQLException {
        return tasks.find(id).orElseThrow();
    }

    Job pickOne() throws SQLException {
        List<Job> picked = jobs.pick(Set.of(), 10).jobs();
        assertThat(picked).hasSize(1);
        return picked.getFirst();
    }
}
