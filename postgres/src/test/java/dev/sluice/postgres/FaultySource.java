package dev.sluice.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** A database whose connections die at a named point of a batch. */
final class FaultySource extends PGSimpleDataSource {
    private static final long serialVersionUID = 1;

    /** Where a batch may be cut. */
    enum Point {
        /** Nothing has reached the server. */
        BEFORE_SEND,
        /** The server works on it, and will never commit it. */
        AFTER_SEND,
        /** The server has committed it and nobody has read so. */
        AFTER_COMMIT
    }

    /** Called at each point that a batch passes; it may end the process. */
    private transient volatile Consumer<Point> passes = point -> {};

    private transient volatile @Nullable Point armed;
    private final transient LedgerSchema schema;

    private FaultySource(LedgerSchema schema) {
        this.schema = schema;
    }

    static FaultySource of(LedgerSchema schema) {
        FaultySource source = new FaultySource(schema);
        source.setUrl(schema.database().serverUrl());
        source.setUser(schema.database().user());
        source.setPassword(schema.database().password());
        return source;
    }

    /** The next batch that gets there loses its connection at {@code point}. */
    void arm(Point point) {
        armed = point;
    }

    boolean isArmed() {
        return armed != null;
    }

    void watch(Consumer<Point> watcher) {
        passes = watcher;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        Connection real = super.getConnection(user, password);
        return proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("prepareStatement")
                    && String.valueOf(arguments[0]).contains(".append(")) {
                return statement(real, (PreparedStatement) call(real, method, arguments));
            }
            if (method.getName().equals("commit")) {
                return commits(real, () -> call(real, method, arguments));
            }
            return call(real, method, arguments);
        });
    }

    private PreparedStatement statement(Connection connection, PreparedStatement real) {
        return proxy(
                PreparedStatement.class,
                (method, arguments) -> method.getName().equals("executeQuery") && connection.getAutoCommit()
                                // append and commit in one message
                                || method.getName().equals("execute")
                        ? commits(connection, () -> call(real, method, arguments))
                        : call(real, method, arguments));
    }

    /** Something that the server answers by a commit. */
    private interface Committing {
        @Nullable
        Object run() throws Throwable;
    }

    private @Nullable Object commits(Connection real, Committing step) throws Throwable {
        passes.accept(Point.BEFORE_SEND);
        cutIf(Point.BEFORE_SEND, real);
        if (take(Point.AFTER_SEND)) {
            return cutWhileItRuns(real, step);
        }
        Object answer = step.run();
        passes.accept(Point.AFTER_COMMIT);
        cutIf(Point.AFTER_COMMIT, real);
        return answer;
    }

    /** The server waits for the shard's lock, which we hold, when its session is ended. */
    private @Nullable Object cutWhileItRuns(Connection real, Committing step) throws Throwable {
        int pid = real.unwrap(PGConnection.class).getBackendPID();
        if (!real.getAutoCommit()) {
            // It holds the lock already, so it would not wait: its session ends with what it wrote.
            end(pid);
            return step.run();
        }
        try (Connection locking = schema.database().connect();
                Statement statement = locking.createStatement()) {
            locking.setAutoCommit(false);
            statement.execute("select lock_shard()");
            Thread ender = Thread.ofVirtual().start(() -> endWhenItWaits(pid));
            try {
                return step.run();
            } finally {
                ender.join();
                locking.rollback();
            }
        }
    }

    private void endWhenItWaits(int pid) {
        try (Connection connection = schema.database().connect();
                Statement statement = connection.createStatement()) {
            boolean waits = false;
            while (!waits) {
                try (ResultSet result = statement.executeQuery(
                        "select wait_event_type = 'Lock' from pg_stat_activity where pid = " + pid)) {
                    waits = result.next() && result.getBoolean(1);
                }
            }
            statement.execute("select pg_terminate_backend(" + pid + ")");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void end(int pid) throws SQLException {
        schema.execute("select pg_terminate_backend(" + pid + ", 10000)");
    }

    private boolean take(Point point) {
        if (armed == point) {
            armed = null;
            return true;
        }
        return false;
    }

    private void cutIf(Point point, Connection real) throws SQLException {
        if (take(point)) {
            real.close();
            throw new SQLException("the connection died " + point, "08006");
        }
    }

    private interface Handler {
        @Nullable
        Object handle(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> handler.handle(method, arguments == null ? new Object[0] : arguments)));
    }

    private static @Nullable Object call(Object on, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
