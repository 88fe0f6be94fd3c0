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
import java.util.ArrayList;
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
    private final PreparedStatement appendAndCommit;
    private final PreparedStatement appendAndFlush;
    private final PreparedStatement flush;

    /** By what they do beside appending: tasks to end, calls of hooks. */
    private final Map<String, PreparedStatement> appendMore = new HashMap<>();

    private final PreparedStatement fold;
    private final PreparedStatement catchUp;
    private final String schema;

    Store(Connection connection, String schema, String holder) throws SQLException {
        this.connection = connection;
        this.postgres = connection.unwrap(PGConnection.class);
        this.schema = '"' + schema + '"';
        this.holder = holder;
        connection.setAutoCommit(true);
        String few = "select * from " + this.schema + ".append(?, ?, ?, ?, ?)";
        this.append = connection.prepareStatement(few);
        // In one message, so that the lock is held for one round trip less.
        this.appendAndCommit = connection.prepareStatement(few + "; commit");
        String flush = "select " + this.schema + ".flush()";
        this.flush = connection.prepareStatement(flush);
        // The first commit gives the lock to the next holder at once, the second waits until both are on disk.
        this.appendAndFlush = connection.prepareStatement(
                few.replace("*", "*, set_config('synchronous_commit', 'off', true)") + "; commit; " + flush);
        this.fold = connection.prepareStatement(
                "select " + this.schema + ".fold(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        this.catchUp = connection.prepareStatement("select * from " + this.schema + ".catch_up(?, ?)");
    }

    /** What the database answered to a batch. */
    enum Outcome {
        OK,
        STALE,
        ENDED
    }

    /**
     * @param newest entry of the journal
     * @param lost what was missed cannot be told: reload
     * @param missed journal entries after the known revision, in order; an empty one is a fold
     * @param ended tasks that must not be admitted
     * @param micros the database's clock
     */
    record Reply(Outcome outcome, Past newest, boolean lost, List<String> missed, List<UUID> ended, long micros) {}

    /**
     * All that was written up to one revision.
     *
     * @param rows by task, as of the last fold
     * @param operated what operators decided about providers
     * @param entries of the journal since that fold
     */
    record Tables(Map<UUID, Row> rows, Map<String, ProviderState> operated, List<String> entries) {}

    /**
     * Writes a batch if {@code known} is the newest entry.
     *
     * @param next the mark of the new entry
     * @param entry of the journal; empty to write nothing at all and only ask
     * @param calls of hooks, made in the same statement
     */
    Reply append(Past known, long next, Effects effects, Calls calls, String entry) throws SQLException {
        if (effects.isNone() && calls.isNone()) {
            begin(append, 1, known, next, entry);
            return reply(append);
        }
        boolean ends = !effects.ended().isEmpty();
        // One statement, so that a task ends in the transaction in which it leaves the queue.
        PreparedStatement append =
                appendMore((ends ? ", " + schema + ".end_tasks(a.outcome, ?, ?)" : "") + calls.sql());
        int at = 1;
        if (ends) {
            append.setArray(at++, uuids(effects.ended(), Evicted::task));
            append.setArray(
                    at++, texts(effects.ended(), evicted -> evicted.reason().code()));
        }
        at = calls.bind(append, at);
        at = begin(append, at, known, next, entry);
        append.setArray(at++, effects.jobsGone().isEmpty() ? null : uuids(effects.jobsGone(), Function.identity()));
        append.setArray(at++, effects.jobs().isEmpty() ? null : uuids(effects.jobs(), Row::task));
        append.setArray(
                at++,
                effects.jobs().isEmpty()
                        ? null
                        : longs(effects.jobs(), row -> grant(row).epoch()));
        append.setArray(at, effects.hints().isEmpty() ? null : texts(effects.hints(), (String hint) -> hint));
        return reply(append);
    }

    private PreparedStatement appendMore(String columns) throws SQLException {
        PreparedStatement known = appendMore.get(columns);
        if (known == null) {
            known = connection.prepareStatement(
                    "select a.*" + columns + " from " + schema + ".append(?, ?, ?, ?, ?, ?, ?, ?, ?) a");
            appendMore.put(columns, known);
        }
        return known;
    }

    /**
     * As {@link #append}, and ends the transaction of {@link #catchUp}, even if nothing was written. The lock is free before
     * the entry is on disk, but when this returns it is: what others build on it lies behind it.
     */
    Reply appendAndCommit(Past known, long next, Effects effects, Calls calls, String entry) throws SQLException {
        if (!effects.isNone() || !calls.isNone()) {
            // People and programs look at tasks without asking the ledger: they see only what is on disk.
            Reply reply = append(known, next, effects, calls, entry);
            commit();
            return reply;
        }
        PreparedStatement append = entry.isEmpty() ? appendAndCommit : appendAndFlush;
        begin(append, 1, known, next, entry);
        append.execute();
        try (ResultSet result = append.getResultSet()) {
            Reply reply = reply(result);
            connection.setAutoCommit(true);
            return reply;
        }
    }

    /** Waits until all that this connection has seen is on disk, whoever wrote it. */
    void flush() throws SQLException {
        flush.execute();
    }

    private int begin(PreparedStatement append, int first, Past known, long next, String entry) throws SQLException {
        append.setLong(first, known.revision());
        append.setLong(first + 1, known.mark());
        append.setLong(first + 2, next);
        append.setString(first + 3, holder);
        append.setString(first + 4, entry);
        return first + 5;
    }

    private static Reply reply(PreparedStatement append) throws SQLException {
        try (ResultSet result = append.executeQuery()) {
            return reply(result);
        }
    }

    private static Reply reply(ResultSet result) throws SQLException {
        result.next();
        return new Reply(
                outcome(result.getString("outcome")),
                newest(result),
                result.getBoolean("lost"),
                strings(result.getArray("changes")),
                ids(result.getArray("ended")),
                result.getLong("micros"));
    }

    private static Past newest(ResultSet result) throws SQLException {
        return new Past(result.getLong("revision"), result.getLong("mark"));
    }

    private static Outcome outcome(String word) {
        return switch (word) {
            case "ok" -> Outcome.OK;
            case "stale" -> Outcome.STALE;
            case "ended" -> Outcome.ENDED;
            default -> throw new IllegalStateException("the ledger's functions are of another version: " + word);
        };
    }

    /** Brings the tables up to {@code known}, inside of {@link #catchUp}'s transaction; the new newest entry. */
    Past fold(Past known, long next, Unfolded.Fold rows) throws SQLException {
        int at = 1;
        fold.setLong(at++, known.revision());
        fold.setLong(at++, next);
        fold.setString(at++, holder);
        fold.setArray(at++, uuids(rows.waitingGone(), Function.identity()));
        List<Row> waiting = rows.waiting();
        fold.setArray(at++, uuids(waiting, Row::task));
        fold.setArray(at++, longs(waiting, Row::sequence));
        fold.setArray(at++, priorities(waiting));
        fold.setArray(at++, texts(waiting, row -> Effects.holder(row.ask())));
        fold.setArray(at++, longs(waiting, row -> row.enqueuedAt() / 1_000));
        fold.setArray(
                at++,
                longs(waiting, row -> row.deadline() == Long.MAX_VALUE ? Long.MAX_VALUE : row.deadline() / 1_000));
        fold.setArray(at++, texts(waiting, RowCodec::write));
        fold.setArray(at++, uuids(rows.activeGone(), Function.identity()));
        List<Row> active = rows.active();
        fold.setArray(at++, uuids(active, Row::task));
        fold.setArray(at++, longs(active, row -> grant(row).epoch()));
        fold.setArray(at++, texts(active, row -> Effects.holder(row.ask())));
        fold.setArray(at++, texts(active, Effects::provider));
        fold.setArray(at++, longs(active, row -> grant(row).at() / 1_000));
        fold.setArray(at++, longs(active, row -> grant(row).expiresAt() / 1_000));
        fold.setArray(at, texts(active, RowCodec::write));
        try (ResultSet result = fold.executeQuery()) {
            result.next();
            return new Past(result.getLong(1), next);
        }
    }

    /** Opens a transaction that holds the lock, and says what was missed; ends with {@link #commit}. */
    Reply catchUp(Past known) throws SQLException {
        connection.setAutoCommit(false);
        catchUp.setLong(1, known.revision());
        catchUp.setLong(2, known.mark());
        try (ResultSet result = catchUp.executeQuery()) {
            result.next();
            return new Reply(
                    Outcome.STALE,
                    newest(result),
                    result.getBoolean("lost"),
                    strings(result.getArray("changes")),
                    List.of(),
                    result.getLong("micros"));
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
        List<String> entries = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                select changes from %1$s.journal
                 where revision > (select revision from %1$s.journal where folded order by revision desc limit 1)
                 order by revision
                """.formatted(schema));
                ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                entries.add(result.getString(1));
            }
        }
        return new Tables(rows, operated, entries);
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

    /** Harmless outside of a transaction. */
    void rollback() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
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
}
