package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.postgres.embedded.Signal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

@DisplayName("A batch beside another process leaves the lock before it is on disk, but")
class FlushTest {
    private static final int ENTRIES = 50;
    private static final int CALLERS = 8;
    private static final int CRASHES = 2;
    private static final int ANSWERS_BEFORE_A_CRASH = 200;

    private Ledgers ledgers;

    @BeforeEach
    void open() throws SQLException {
        ledgers = Ledgers.create();
    }

    @AfterEach
    void close() throws SQLException {
        ledgers.close();
    }

    @Test
    @DisplayName("is on disk when it is answered")
    void anAnsweredEntryIsOnDisk() throws SQLException {
        int onDisk = 0;
        try (Store store = new Store(ledgers.schema.source().getConnection(), ledgers.schema.name(), "one");
                Connection looking = ledgers.schema.database().connect();
                Statement look = looking.createStatement()) {
            for (int i = 0; i < ENTRIES; i++) {
                Past newest = store.catchUp(Past.NONE).newest();
                store.appendAndCommit(newest, i, Effects.of(List.of(), "one", true), Calls.NONE, "[{\"by\":\"one\"}]");
                try (ResultSet behind =
                        look.executeQuery("select pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn()")) {
                    behind.next();
                    onDisk += behind.getBoolean(1) ? 1 : 0;
                }
            }
        }

        // Whatever else the server writes in that instant may be behind.
        assertThat(onDisk).isGreaterThan(ENTRIES * 3 / 4);
    }

    @Test
    @DisplayName("no answer is lost when the server crashes")
    void aCrashLosesNoAnswer() throws Exception {
        PostgresAdmission one = ledgers.open("one", Ledgers.limit(100_000));
        PostgresAdmission two = ledgers.open("two", Ledgers.limit(100_000));
        Set<UUID> held = ConcurrentHashMap.newKeySet();
        Set<UUID> released = ConcurrentHashMap.newKeySet();
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            PostgresAdmission engine = i % 2 == 0 ? one : two;
            String holder = i % 2 == 0 ? "one" : "two";
            callers.add(Thread.ofVirtual().start(() -> {
                while (!over.get()) {
                    work(engine, holder, held, released);
                }
            }));
        }

        for (int crash = 0; crash < CRASHES; crash++) {
            int before = held.size();
            await().atMost(Ledgers.PATIENCE).until(() -> held.size() > before + ANSWERS_BEFORE_A_CRASH);
            crash();
            await().atMost(Ledgers.PATIENCE).until(() -> one.isAvailable() && two.isAvailable());
        }
        over.set(true);
        for (Thread caller : callers) {
            caller.join();
        }

        ledgers.assertNoDrift();
        Set<UUID> running = ledgers.schema.running();
        assertThat(running).containsAll(held).doesNotContainAnyElementsOf(released);
    }

    /** Every second task is released again. */
    private void work(PostgresAdmission engine, String holder, Set<UUID> held, Set<UUID> released) {
        try {
            held.add(Ledgers.admitted(engine.submit(ledgers.ask(holder))).task());
            Admitted second = Ledgers.admitted(engine.submit(ledgers.ask(holder)));
            // Asked again after a commit that nobody read, it may find the task released already.
            release(engine, second);
            released.add(second.task());
        } catch (CompletionException away) {
            await().atMost(Ledgers.PATIENCE).until(engine::isAvailable);
        }
    }

    /** The server takes a session that was killed for a danger to all: it ends every other one and recovers from its log. */
    private void crash() throws SQLException {
        try (Connection connection = ledgers.schema.database().connect()) {
            Signal.send("KILL", connection.unwrap(PGConnection.class).getBackendPID());
            await().atMost(Ledgers.PATIENCE).until(() -> !connection.isValid(1));
        }
        await().atMost(Ledgers.PATIENCE).ignoreExceptions().until(() -> {
            try (Connection again = ledgers.schema.database().connect()) {
                return again.isValid(5);
            }
        });
    }
}
