package dev.sluice.bench.seedpg;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The seed's Store: each operation is one transaction of several statements on a pooled connection. Line numbers are
 * those of the seed's file. Hooks, which a cycle has none of, are left out.
 */
public final class SeedStore implements AutoCloseable {
    public static final String CHANNEL = "gateway_task_admission";
    private static final int POOL_SIZE = 32;
    private static final String EVERYBODY = "*";

    private final HikariDataSource pool;
    private final SeedStatements statements;
    private final SeedReads reads;

    /** What runs in one transaction. */
    private interface Work<T> {
        T run(Connection tx) throws SQLException, SeedRefusal;
    }

    /** With the pool that the benchmarks give it. */
    public SeedStore(String url, InstantSource clock) {
        this(url, clock, POOL_SIZE);
    }

    SeedStore(String url, InstantSource clock, int poolSize) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(poolSize);
        config.setMinimumIdle(poolSize);
        config.setConnectionTimeout(60_000);
        // Each operation begins and ends its own transaction, or is a single statement.
        config.setAutoCommit(true);
        pool = new HikariDataSource(config);
        statements = new SeedStatements(clock);
        reads = new SeedReads(pool);
    }

    /** Creates the tables; they must not exist. */
    public void createSchema() throws SQLException, IOException {
        try (InputStream file = SeedStore.class.getResourceAsStream("schema.sql");
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            if (file == null) {
                throw new IOException("schema.sql is not in the class path");
            }
            statement.execute(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Not in the file: the rows of tasks that may ask for admission. */
    public void createTasks(List<String> taskIds) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            Sql.execute(connection, "INSERT INTO gateway_tasks (id) SELECT unnest(?::uuid[])", (Object)
                    taskIds.toArray(String[]::new));
        }
    }

    /** The operations that are a single statement or only read. */
    public SeedReads reads() {
        return reads;
    }

    private <T> T inTransaction(Work<T> work) throws SQLException, SeedRefusal {
        try (Connection tx = pool.getConnection()) {
            tx.setAutoCommit(false);
            boolean done = false;
            try {
                T result = work.run(tx);
                tx.commit();
                done = true;
                return result;
            } finally {
                if (!done) {
                    tx.rollback();
                }
                tx.setAutoCommit(true);
            }
        }
    }

    /** What a transaction that commits may still have to refuse. */
    private sealed interface Verdict<T> {
        record Of<T>(T value) implements Verdict<T> {}

        record TimedOut<T>() implements Verdict<T> {}
    }

    private <T> T committed(Work<Verdict<T>> work) throws SQLException, SeedRefusal {
        return switch (inTransaction(work)) {
            case Verdict.Of<T>(T value) -> value;
            case Verdict.TimedOut<T>() -> throw new SeedRefusal(SeedRefusal.Kind.QUEUE_TIMEOUT, "queue timeout");
        };
    }

    private void lockScopes(Connection tx, List<SeedScope> scopes, Optional<SeedAdmission> bound) throws SQLException {
        List<SeedScope> locks = new ArrayList<>(scopes);
        bound.ifPresent(admission -> {
            locks.add(SeedScope.toLock(SeedScope.PLATFORM_MODEL, admission.platformModelId()));
            locks.add(SeedScope.toLock(SeedScope.USER_GROUP, admission.userGroupId()));
        });
        for (SeedScope scope : SeedScope.normalised(locks)) {
            statements.lock(tx, scope.lockKey());
        }
    }

    private <T> Verdict<T> expire(Connection tx, String taskId) throws SQLException {
        statements.expire(tx, taskId);
        statements.notify(tx, EVERYBODY);
        return new Verdict.TimedOut<>();
    }

    private boolean passed(SeedAdmission admission) {
        return !admission.waitDeadlineAt().isAfter(statements.now());
    }

    /** tryTaskAdmission, lines 225-403. */
    public SeedResult tryTaskAdmission(SeedInput input) throws SQLException, SeedRefusal {
        return committed(tx -> tryAdmission(tx, input));
    }

    private Verdict<SeedResult> tryAdmission(Connection tx, SeedInput input) throws SQLException, SeedRefusal {
        statements.lockTask(tx, input.taskId());
        statements.requireActiveTask(tx, input.taskId());
        Optional<SeedAdmission> found = statements.load(tx, input.taskId());
        List<SeedScope> scopes = SeedScope.normalised(input.scopes());
        lockScopes(tx, scopes, found);

        if (found.isPresent() && found.get().admitted()) {
            SeedAdmission admitted = found.get();
            int active = statements.activeLeases(tx, input.taskId());
            boolean bindingChanged = !admitted.platformId().equals(input.platformId())
                    || !admitted.platformModelId().equals(input.platformModelId())
                    || !admitted.userGroupId().equals(input.userGroupId());
            if (active > 0 && !bindingChanged) {
                return new Verdict.Of<>(new SeedResult(admitted, true, false, List.of()));
            }
            if (bindingChanged) {
                ScopeState.validateNew(statements.states(tx, scopes));
            }
            found = Optional.of(statements.resetToWaiting(tx, input));
        }
        if (found.isPresent() && passed(found.get())) {
            return expire(tx, input.taskId());
        }

        List<ScopeState> states = statements.states(tx, scopes);
        SeedAdmission admission;
        if (found.isEmpty()) {
            ScopeState.validateNew(states);
            admission = statements.insert(tx, input, statements.deadline(scopes));
        } else if (input.sync()) {
            admission = statements.renewWaiter(tx, input.taskId(), input.waiterId());
        } else {
            admission = found.get();
        }
        if (!statements.isHead(tx, admission, scopes)) {
            return new Verdict.Of<>(SeedResult.waiting(admission));
        }
        if (states.stream().anyMatch(ScopeState::saturated)) {
            return new Verdict.Of<>(SeedResult.waiting(admission));
        }

        List<String> leases = new ArrayList<>(scopes.size());
        for (SeedScope scope : scopes) {
            if (scope.concurrentLimit() <= 0 || scope.amount() <= 0) {
                continue;
            }
            Optional<String> lease = statements.reserve(tx, input.taskId(), scope);
            if (lease.isEmpty()) {
                return new Verdict.Of<>(SeedResult.waiting(admission));
            }
            leases.add(lease.get());
        }
        SeedAdmission admitted = statements.markAdmitted(tx, input.taskId());
        statements.notify(tx, EVERYBODY);
        return new Verdict.Of<>(new SeedResult(admitted, true, true, leases));
    }

    /** QueueTaskAdmissionWithHook, lines 124-223. */
    public SeedAdmission queueTaskAdmission(SeedInput input) throws SQLException, SeedRefusal {
        if (input.sync()) {
            throw new IllegalArgumentException("queued admission registration requires asynchronous mode");
        }
        return committed(tx -> {
            statements.lockTask(tx, input.taskId());
            statements.requireActiveTask(tx, input.taskId());
            Optional<SeedAdmission> found = statements.load(tx, input.taskId());
            List<SeedScope> scopes = SeedScope.normalised(input.scopes());
            lockScopes(tx, scopes, found);
            if (found.isPresent() && found.get().admitted() && statements.activeLeases(tx, input.taskId()) == 0) {
                found = Optional.of(statements.resetToWaiting(tx, input));
            }
            if (found.isPresent() && found.get().waiting() && passed(found.get())) {
                return expire(tx, input.taskId());
            }
            SeedAdmission admission;
            if (found.isEmpty()) {
                ScopeState.validateQueued(statements.states(tx, scopes));
                admission = statements.insert(tx, input, statements.deadline(scopes));
            } else {
                admission = found.get();
            }
            statements.notify(tx, input.taskId());
            return new Verdict.Of<>(admission);
        });
    }

    /** RebindWaitingTaskAdmission, lines 453-534. */
    public SeedAdmission rebindWaitingTaskAdmission(SeedInput input) throws SQLException, SeedRefusal {
        return inTransaction(tx -> {
            statements.lockTask(tx, input.taskId());
            SeedAdmission current = statements.load(tx, input.taskId()).orElseThrow(() -> new SQLException("no rows"));
            if (!current.waiting()) {
                return current;
            }
            List<SeedScope> scopes = SeedScope.normalised(input.scopes());
            lockScopes(tx, scopes, Optional.of(current));
            List<ScopeState> states = new ArrayList<>(statements.states(tx, scopes));
            states.replaceAll(
                    state -> carries(current, state.scope()) && state.waiting() > 0 ? state.withoutOwnWaiter() : state);
            ScopeState.validateNew(states);
            SeedAdmission migrated = statements.rebind(tx, input, statements.deadline(scopes));
            statements.notify(tx, input.taskId());
            return migrated;
        });
    }

    private static boolean carries(SeedAdmission admission, SeedScope scope) {
        return switch (scope.type()) {
            case SeedScope.PLATFORM_MODEL -> scope.key().equals(admission.platformModelId());
            case SeedScope.USER_GROUP -> scope.key().equals(admission.userGroupId());
            default -> false;
        };
    }

    /** DeleteTaskAdmission, lines 633-656. */
    public void deleteTaskAdmission(String taskId) throws SQLException, SeedRefusal {
        inTransaction(tx -> {
            statements.lockTask(tx, taskId);
            statements.releaseLeases(tx, taskId);
            statements.delete(tx, taskId);
            statements.notify(tx, EVERYBODY);
            return true;
        });
    }

    /** ReapExpiredTaskAdmissions, lines 791-884; the number reaped. */
    public int reapExpiredTaskAdmissions(int limit) throws SQLException, SeedRefusal {
        return inTransaction(tx -> {
            int reaped = 0;
            for (String taskId : SeedReap.expired(tx, limit)) {
                statements.lockTask(tx, taskId);
                if (SeedReap.reap(tx, taskId)) {
                    reaped++;
                }
            }
            if (reaped > 0) {
                statements.notify(tx, EVERYBODY);
            }
            return reaped;
        });
    }

    @Override
    public void close() {
        pool.close();
    }
}
