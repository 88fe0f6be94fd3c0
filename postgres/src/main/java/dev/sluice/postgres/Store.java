package dev.sluice.postgres;

import dev.sluice.admission.Evicted;
import dev.sluice.admission.Grant;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Row;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** The writer's one connection and its calls. A call that fails leaves it unknown what was committed. */
final class Store implements AutoCloseable {
    private final Connection connection;
    private final PGConnection postgres;
    private final String holder;
    private final PreparedStatement append;
    private final PreparedStatement appendAndEnd;
    private final PreparedStatement catchUp;
    private final String schema;

    Store(Connection connection, String schema, String holder) throws SQLException {
        this.connection = connection;
        this.postgres = connection.unwrap(PGConnection.class);
        this.schema = '"' + schema + '"';
        this.holder = holder;
        connection.setAutoCommit(true);
        String call = this.schema + ".append(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        this.append = connection.prepareStatement("select * from " + call);
        // One statement, so that a task ends in the transaction in which it leaves the queue.
        this.appendAndEnd = connection.prepareStatement(
                "select a.*, " + this.schema + ".end_tasks(a.outcome, ?, ?) from " + call + " a");
        this.catchUp = connection.prepareStatement("select * from " + this.schema + ".catch_up(?)");
    }

    /** What the database answered to a batch. */
    enum Outcome {
        OK,
        STALE,
        JOURNAL,
        ENDED
    }

    /**
     * @param others live holders beside this one
     * @param lost what was missed cannot be told: reload
     * @param missed journal entries after the known revision, in order
     * @param ended tasks that must not be admitted
     * @param micros the database's clock
     */
    record Reply(
            Outcome outcome,
            long revision,
            int others,
            boolean lost,
            List<String> missed,
            List<UUID> ended,
            long micros) {}

    /**
     * All that the tables hold at one revision.
     *
     * @param rows by task
     * @param operated what operators decided about providers
     */
    record Tables(Map<UUID, Row> rows, Map<String, ProviderState> operated) {}

    /**
     * Writes a batch if it rests on {@code known}.
     *
     * @param changes the journal entry; null to write none, which is refused while others are there; empty to write
     *     nothing at all and only ask
     */
    Reply append(long known, Effects effects, @Nullable String changes) throws SQLException {
        boolean ends = !effects.ended().isEmpty();
        PreparedStatement append = ends ? appendAndEnd : this.append;
        int at = 1;
        if (ends) {
            append.setArray(at++, uuids(effects.ended(), Evicted::task));
            append.setArray(
                    at++, texts(effects.ended(), evicted -> evicted.reason().code()));
        }
        append.setLong(at++, known);
        append.setString(at++, holder);
        append.setString(at++, changes);
        append.setArray(at++, uuids(effects.waitingGone(), Function.identity()));
        List<Row> waiting = effects.waiting();
        append.setArray(at++, uuids(waiting, Row::task));
        append.setArray(at++, longs(waiting, Row::sequence));
        append.setArray(at++, priorities(waiting));
        append.setArray(at++, texts(waiting, row -> Effects.holder(row.ask())));
        append.setArray(at++, longs(waiting, row -> row.enqueuedAt() / 1_000));
        append.setArray(
                at++,
                longs(waiting, row -> row.deadline() == Long.MAX_VALUE ? Long.MAX_VALUE : row.deadline() / 1_000));
        append.setArray(at++, texts(waiting, RowCodec::write));
        append.setArray(at++, uuids(effects.activeGone(), Function.identity()));
        List<Row> active = effects.active();
        append.setArray(at++, uuids(active, Row::task));
        append.setArray(at++, longs(active, row -> grant(row).epoch()));
        append.setArray(at++, texts(active, row -> Effects.holder(row.ask())));
        append.setArray(at++, texts(active, Effects::provider));
        append.setArray(at++, longs(active, row -> grant(row).at() / 1_000));
        append.setArray(at++, longs(active, row -> grant(row).expiresAt() / 1_000));
        append.setArray(at++, texts(active, RowCodec::write));
        append.setArray(at++, uuids(effects.jobsGone(), Function.identity()));
        append.setArray(at++, uuids(effects.jobs(), Row::task));
        append.setArray(at++, longs(effects.jobs(), row -> grant(row).epoch()));
        append.setArray(at, texts(effects.hints(), (String hint) -> hint));
        try (ResultSet result = append.executeQuery()) {
            result.next();
            return new Reply(
                    Outcome.valueOf(result.getString("outcome").toUpperCase(java.util.Locale.ROOT)),
                    result.getLong("revision"),
                    result.getInt("others"),
                    result.getBoolean("lost"),
                    strings(result.getArray("changes")),
                    ids(result.getArray("ended")),
                    micros(result));
        }
    }

    /** Opens a transaction that holds the lock, and says what was missed; ends with {@link #commit}. */
    Reply catchUp(long known) throws SQLException {
        connection.setAutoCommit(false);
        catchUp.setLong(1, known);
        try (ResultSet result = catchUp.executeQuery()) {
            result.next();
            return new Reply(
                    Outcome.STALE,
                    result.getLong("revision"),
                    0,
                    result.getBoolean("lost"),
                    strings(result.getArray("changes")),
                    List.of(),
                    micros(result));
        }
    }

    /** Reads everything; inside of {@link #catchUp}'s transaction, so nothing moves meanwhile. */
    Tables load() throws SQLException {
        Map<UUID, Row> rows = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                select task, holder, body from %1$s.waiting union all select task, holder, body from %1$s.active
                """.formatted(schema))) {
            statement.setFetchSize(5_000);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    UUID task = result.getObject(1, UUID.class);
                    rows.put(task, RowCodec.read(task, result.getString(2), result.getString(3)));
                }
            }
        }
        Map<String, ProviderState> operated = new HashMap<>();
        try (PreparedStatement statement =
                        connection.prepareStatement("select provider, state from " + schema + ".provider_state");
                ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                operated.put(result.getString(1), ProviderState.valueOf(result.getString(2)));
            }
        }
        return new Tables(rows, operated);
    }

    /** Writes what an operator decided about a provider, inside of a batch's transaction. */
    static void operate(Connection connection, String schema, String provider, ProviderState state)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                insert into "%s".provider_state as p (provider, state) values (?, ?)
                on conflict (provider) do update set state = excluded.state, changed = excluded.changed
                """.formatted(schema))) {
            statement.setString(1, provider);
            statement.setString(2, state.name());
            statement.executeUpdate();
        }
    }

    void commit() throws SQLException {
        connection.commit();
        connection.setAutoCommit(true);
    }

    void rollback() throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
    }

    /** For hooks, inside of {@link #catchUp}'s transaction. */
    Connection connection() {
        return connection;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // It is being thrown away because it failed.
        }
    }

    private static Grant grant(Row row) {
        Grant grant = row.grant();
        if (grant == null) {
            throw new IllegalStateException("task " + row.task() + " holds nothing");
        }
        return grant;
    }

    // Arrays of these three types go to the server in binary; of any other, as text that it must parse.
    private <T> Array uuids(List<T> rows, Function<T, UUID> part) throws SQLException {
        return texts(rows, row -> part.apply(row).toString());
    }

    private <T> Array texts(List<T> rows, Function<T, @Nullable String> part) throws SQLException {
        return postgres.createArrayOf("text", rows.stream().map(part).toArray(String[]::new));
    }

    private <T> Array longs(List<T> rows, ToLongFunction<T> part) throws SQLException {
        return postgres.createArrayOf("int8", rows.stream().mapToLong(part).toArray());
    }

    private Array priorities(List<Row> rows) throws SQLException {
        return postgres.createArrayOf(
                "int4", rows.stream().mapToInt(row -> row.ask().priority()).toArray());
    }

    private static List<String> strings(@Nullable Array array) throws SQLException {
        return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
    }

    private static List<UUID> ids(@Nullable Array array) throws SQLException {
        return array == null ? List.of() : Arrays.asList((UUID[]) array.getArray());
    }

    private static long micros(ResultSet result) throws SQLException {
        java.time.OffsetDateTime at = result.getObject("at", java.time.OffsetDateTime.class);
        return at.toEpochSecond() * 1_000_000 + at.getNano() / 1_000;
    }
}
