package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static dev.sluice.gateway.TaskClient.count;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The durable ledger answers later than it is asked: a client may leave in between. */
@DisplayName("A client of the durable ledger that leaves frees its place and its slot")
final class DepartingOnDatabaseTest extends OnDatabase {
    private static final String PLAIN = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    private static final String STREAM = PLAIN.replace("}]}", "}],\"stream\":true}");

    private final Semaphore go = new Semaphore(0);
    private RawUpstream upstream;
    private RunningGateway gateway;

    /** What wants a stream begins one and never ends it; the rest is answered when it may be. */
    @BeforeEach
    void start() throws IOException {
        upstream = RawUpstream.start(call -> {
            if (call.body().contains("\"stream\":true")) {
                call.streamHead();
                call.chunk("data: 1\n\n");
                call.awaitClose();
            } else {
                go.acquire();
                call.json(200, "{}");
            }
        });
        gateway = gateway(upstream, "{limit: 1, queue: 5}", "");
    }

    @AfterEach
    void stop() throws IOException {
        go.release(1_000);
        gateway.close();
        upstream.close();
    }

    private RawClient running() throws IOException {
        RawClient client = RawClient.connect(gateway.port()).send(chat(PLAIN));
        await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
        return client;
    }

    /** Until it is closed nothing is decided. */
    private Connection lock() throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("select pg_advisory_xact_lock('journal'::regclass::oid::bigint::int, 1)");
        }
        return connection;
    }

    private void awaitUndecided() {
        await("a decision waits for the lock")
                .atMost(10, SECONDS)
                .until(() -> count(
                                database,
                                "pg_locks where locktype = 'advisory' and not granted"
                                        + " and classid = 'journal'::regclass::oid")
                        > 0);
    }

    private void awaitConnections(int count) {
        await("it was noticed")
                .atMost(10, SECONDS)
                .until(() -> gateway.gateway().openConnections() == count);
    }

    @Test
    void whileItIsUndecidedWhetherItMayRun() throws Exception {
        awaitConnections(0);
        try (Connection locked = lock();
                RawClient client = RawClient.connect(gateway.port()).send(chat(PLAIN))) {
            await().atMost(10, SECONDS).until(() -> gateway.gateway().bufferedBytes() > 0);
            awaitUndecided();

            client.close();

            awaitConnections(0);
            locked.rollback();
        }
        awaitNothingHeld(gateway, database);
        assertThat(upstream.calls()).as("it never started").isEmpty();
    }

    @Test
    void whileItWaits() throws Exception {
        try (RawClient holder = running();
                RawClient waiting = RawClient.connect(gateway.port()).send(chat(PLAIN))) {
            gateway.awaitWaiting(1);

            waiting.close();

            gateway.awaitWaiting(0);
            go.release();
            assertThat(holder.answer().status()).isEqualTo(200);
        }
        awaitNothingHeld(gateway, database);
        assertThat(upstream.calls()).hasSize(1);
    }

    @Test
    void whileItsGrantIsOnItsWay() throws Exception {
        try (RawClient holder = running();
                RawClient waiting = RawClient.connect(gateway.port()).send(chat(PLAIN));
                RawClient next = RawClient.connect(gateway.port())) {
            gateway.awaitWaiting(1);
            next.send(chat(PLAIN));
            gateway.awaitWaiting(2);
            try (Connection locked = lock()) {
                go.release();
                assertThat(holder.answer().status()).isEqualTo(200);
                awaitUndecided();

                waiting.close();

                awaitConnections(2);
                locked.rollback();
            }
            go.release();
            assertThat(next.answer().status()).isEqualTo(200);
        }
        awaitNothingHeld(gateway, database);
        assertThat(upstream.calls()).as("it never started").hasSize(2);
    }

    @Test
    void beforeTheUpstreamsHead() throws Exception {
        try (RawClient client = running()) {
            client.close();

            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void midStream() throws Exception {
        try (RawClient client = RawClient.connect(gateway.port()).send(chat(STREAM))) {
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.chunk()).isEqualTo("data: 1\n\n");

            client.close();

            await("the upstream is closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            awaitNothingHeld(gateway, database);
        }
    }
}
