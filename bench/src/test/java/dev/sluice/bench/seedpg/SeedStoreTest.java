package dev.sluice.bench.seedpg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.postgres.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The port of the durable seed")
class SeedStoreTest {
    private static final String PLATFORM = UUID.randomUUID().toString();
    private static final String MODEL = UUID.randomUUID().toString();
    private static final String OTHER_MODEL = UUID.randomUUID().toString();
    private static final String GROUP = UUID.randomUUID().toString();

    private final List<String> tasks = List.of(task(), task(), task());
    private Duration ahead = Duration.ZERO;
    private TestDatabase database;
    private SeedStore store;

    @BeforeEach
    void openStore() throws Exception {
        database = TestDatabase.withFreshSchema();
        InstantSource system = InstantSource.system();
        store = new SeedStore(
                database.url() + "&user=" + database.user() + "&password=" + database.password(),
                () -> system.instant().plus(ahead),
                4);
        store.createSchema();
        store.createTasks(tasks);
    }

    @AfterEach
    void closeStore() throws Exception {
        store.close();
        database.close();
    }

    private static String task() {
        return UUID.randomUUID().toString();
    }

    private static SeedInput ask(String task, String model, double limit, int queue) {
        return new SeedInput(
                task,
                PLATFORM,
                model,
                GROUP,
                "test",
                SeedInput.SYNC,
                100,
                "waiter",
                List.of(SeedScope.platformModel(model, limit, queue), SeedScope.userGroup(GROUP, 100, 100)));
    }

    private SeedResult attempt(int task) throws Exception {
        return store.tryTaskAdmission(ask(tasks.get(task), MODEL, 1, 1));
    }

    private SeedRefusal refused(int task, double limit, int queue) {
        return catchThrowableOfType(
                SeedRefusal.class, () -> store.tryTaskAdmission(ask(tasks.get(task), MODEL, limit, queue)));
    }

    @Test
    void admitsUnderAllScopesAndOnce() throws Exception {
        SeedResult first = attempt(0);
        assertThat(first.newlyAdmitted()).isTrue();
        assertThat(first.leases()).hasSize(2);
        assertThat(store.reads().activeLeases(tasks.get(0))).containsExactlyInAnyOrderElementsOf(first.leases());

        SeedResult again = attempt(0);
        assertThat(again.admitted()).isTrue();
        assertThat(again.newlyAdmitted()).isFalse();
    }

    @Test
    void aWaiterIsAdmittedWhenItAsksAfterTheRelease() throws Exception {
        attempt(0);
        assertThat(attempt(1).admitted()).isFalse();
        assertThat(store.reads().waitingHeads(10)).containsExactly(tasks.get(1));

        store.deleteTaskAdmission(tasks.get(0));
        assertThat(attempt(1).newlyAdmitted()).isTrue();
    }

    @Test
    void onlyTheHeadOfTheQueueIsAdmitted() throws Exception {
        attempt(0);
        attempt(1);
        store.tryTaskAdmission(ask(tasks.get(2), MODEL, 1, 2));
        store.deleteTaskAdmission(tasks.get(0));

        assertThat(store.tryTaskAdmission(ask(tasks.get(2), MODEL, 1, 2)).admitted())
                .isFalse();
        assertThat(attempt(1).admitted()).isTrue();
    }

    @Test
    void refusesWithoutAQueueAndWithAFullOne() throws Exception {
        attempt(0);
        assertThat(refused(1, 1, 0).kind()).isEqualTo(SeedRefusal.Kind.CONCURRENT);
        attempt(1);
        assertThat(refused(2, 1, 1).kind()).isEqualTo(SeedRefusal.Kind.QUEUE_FULL);
        assertThat(store.reads().metrics().queueDepth()).isEqualTo(1);
    }

    @Test
    void anAsynchronousTaskQueuesWithoutLeases() throws Exception {
        SeedInput input = new SeedInput(
                tasks.get(0),
                PLATFORM,
                MODEL,
                "",
                "test",
                SeedInput.ASYNC,
                100,
                "",
                List.of(SeedScope.platformModel(MODEL, 1, 1)));
        assertThat(store.queueTaskAdmission(input).waiting()).isTrue();
        assertThat(store.reads().waitingAsync(10)).containsExactly(tasks.get(0));
        assertThat(store.reads().activeLeases(tasks.get(0))).isEmpty();
    }

    @Test
    void rebindingKeepsTheAge() throws Exception {
        attempt(0);
        SeedAdmission waiting = attempt(1).admission();
        SeedAdmission moved = store.rebindWaitingTaskAdmission(ask(tasks.get(1), OTHER_MODEL, 1, 1));
        assertThat(moved.platformModelId()).isEqualTo(OTHER_MODEL);
        assertThat(moved.enqueuedAt()).isEqualTo(waiting.enqueuedAt());
    }

    @Test
    void aTaskPastItsDeadlineFailsWhenItAsksAgain() throws Exception {
        attempt(0);
        attempt(1);
        ahead = Duration.ofMinutes(11);
        assertThat(refused(1, 1, 1).kind()).isEqualTo(SeedRefusal.Kind.QUEUE_TIMEOUT);
        assertThat(store.reads().get(tasks.get(1))).isEmpty();
        ahead = Duration.ZERO;
        assertThat(refused(1, 1, 1).kind()).isEqualTo(SeedRefusal.Kind.TASK_FINISHED);
    }

    @Test
    void aWaiterThatIsNotRenewedIsReaped() throws Exception {
        attempt(0);
        ahead = Duration.ofMinutes(-1);
        attempt(1);
        // Asking again renews by the database's clock; the first insertion used the application's.
        assertThat(store.reapExpiredTaskAdmissions(10)).isEqualTo(1);
        assertThat(store.reads().get(tasks.get(1))).isEmpty();
    }

    @Test
    void renewalKeepsAWaiter() throws Exception {
        attempt(0);
        ahead = Duration.ofMinutes(-1);
        attempt(1);
        store.reads().renewWaiters(new String[] {tasks.get(1)}, new String[] {"waiter"});
        assertThat(store.reapExpiredTaskAdmissions(10)).isZero();
        Instant expires = store.reads()
                .get(tasks.get(1))
                .orElseThrow()
                .waiterLeaseExpires()
                .orElseThrow();
        assertThat(expires).isAfter(InstantSource.system().instant());
    }

    @Test
    void aLimitOfOneHoldsForManyThreads() throws Exception {
        List<String> many = new ArrayList<>();
        List<Callable<SeedResult>> asks = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            String task = task();
            many.add(task);
            asks.add(() -> store.tryTaskAdmission(ask(task, MODEL, 1, 16)));
        }
        store.createTasks(many);
        int admitted = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<SeedResult> result : threads.invokeAll(asks)) {
                admitted += result.get().admitted() ? 1 : 0;
            }
        }
        assertThat(admitted).isEqualTo(1);
        assertThat(store.reads().metrics().waitingSync()).isEqualTo(15);
    }
}
