package dev.sluice.postgres.files;

import dev.sluice.postgres.files.StoredFile.Purpose;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Files in the database. Every method blocks and takes a connection for the time of one short transaction. */
public final class FileStore {
    private static final int PURGED_AT_ONCE = 1;
    private static final String COLUMNS = "id, owner, name, purpose, bytes, created, expires";

    private final DataSource database;
    private final String schema;

    /** @param database may be a pooler in transaction mode */
    public FileStore(DataSource database, String schema) {
        this.database = database;
        this.schema = '"' + schema + '"';
    }

    /** What became of a piece. */
    public enum Append {
        TAKEN,
        /** All files of the owner together would be more than they may. */
        OVER_QUOTA,
        /** The file is not being written any more, or not at this place. */
        LOST
    }

    /** What became of the order to delete a file. */
    public enum Deletion {
        DELETED,
        UNKNOWN,
        /** A batch that has not ended reads it. */
        IN_USE
    }

    /** Begins a file that nobody sees until it is complete. If that never happens it is deleted after an hour. */
    public void begin(UUID file, String owner, String name, Purpose purpose) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        "insert into %s.file (id, owner, name, purpose) values (?, ?, ?, ?)".formatted(schema))) {
            insert.setObject(1, file);
            insert.setString(2, owner);
            insert.setString(3, name);
            insert.setString(4, word(purpose));
            insert.executeUpdate();
        }
    }

    /**
     * Adds a piece at the end.
     *
     * @param start how many bytes there are before it
     * @param quota the most bytes that all files of the owner may have together
     */
    public Append append(UUID file, String owner, long start, byte[] content, long quota) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                // Else two uploads at once could pass the quota together.
                lockUse(connection, owner);
                boolean taken = insert(connection, file, start, content, quota);
                Append result =
                        taken ? Append.TAKEN : isOpen(connection, file, start) ? Append.OVER_QUOTA : Append.LOST;
                connection.commit();
                return result;
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    private void lockUse(Connection connection, String owner) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(
                "select pg_advisory_xact_lock('%s.file'::regclass::oid::bigint::int, hashtext(?))".formatted(schema))) {
            lock.setString(1, owner);
            lock.execute();
        }
    }

    private boolean insert(Connection connection, UUID file, long start, byte[] content, long quota)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                with taken as (
                    update %1$s.file f set bytes = f.bytes + ?, expires = clock_timestamp() + interval '1 hour'
                     where f.id = ? and not f.complete and f.bytes = ?
                       and (select sum(o.bytes) from %1$s.file o where o.owner = f.owner) + ? <= ?
                    returning f.id)
                insert into %1$s.file_piece (file, start, content) select id, ?, ? from taken
                """.formatted(schema))) {
            insert.setInt(1, content.length);
            insert.setObject(2, file);
            insert.setLong(3, start);
            insert.setInt(4, content.length);
            insert.setLong(5, quota);
            insert.setLong(6, start);
            insert.setBytes(7, content);
            return insert.executeUpdate() == 1;
        }
    }

    private boolean isOpen(Connection connection, UUID file, long start) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(
                "select 1 from %s.file where id = ? and not complete and bytes = ?".formatted(schema))) {
            find.setObject(1, file);
            find.setLong(2, start);
            try (ResultSet row = find.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Shows a file to its owner from now on; empty if it is not being written any more. */
    public Optional<StoredFile> complete(UUID file, Duration lifetime) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return complete(connection, file, lifetime);
        }
    }

    /** The same in a transaction of the caller's. */
    public Optional<StoredFile> complete(Connection transaction, UUID file, Duration lifetime) throws SQLException {
        try (PreparedStatement complete = transaction.prepareStatement("""
                update %s.file set complete = true, created = clock_timestamp(),
                       expires = clock_timestamp() + ? * interval '1 millisecond'
                 where id = ? and not complete returning %s
                """.formatted(schema, COLUMNS))) {
            complete.setLong(1, lifetime.toMillis());
            complete.setObject(2, file);
            return one(complete);
        }
    }

    /** Deletes a file that never was complete. */
    public void discard(UUID file) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement(
                        "delete from %s.file where id = ? and not complete".formatted(schema))) {
            delete.setObject(1, file);
            delete.executeUpdate();
        }
    }

    public Optional<StoredFile> find(UUID file, String owner) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement(
                        "select %s from %s.file where id = ? and owner = ? and complete".formatted(COLUMNS, schema))) {
            find.setObject(1, file);
            find.setString(2, owner);
            return one(find);
        }
    }

    private static Optional<StoredFile> one(PreparedStatement find) throws SQLException {
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? Optional.of(read(row)) : Optional.empty();
        }
    }

    /**
     * The owner's files by the time they were complete.
     *
     * @param purpose empty for any
     * @param after those that follow this one; empty for the first ones
     */
    public List<StoredFile> list(
            String owner, Optional<Purpose> purpose, Optional<UUID> after, boolean ascending, int most)
            throws SQLException {
        String order = ascending ? "asc" : "desc";
        try (Connection connection = database.getConnection();
                PreparedStatement list =
                        connection.prepareStatement("""
                        select %1$s from %2$s.file
                         where owner = ? and complete and (purpose = ? or ?::boolean)
                           and (?::boolean or (created, id) %3$s (select created, id from %2$s.file where id = ?))
                         order by created %4$s, id %4$s limit ?
                        """.formatted(COLUMNS, schema, ascending ? ">" : "<", order))) {
            list.setString(1, owner);
            list.setString(2, purpose.map(FileStore::word).orElse(""));
            list.setBoolean(3, purpose.isEmpty());
            list.setBoolean(4, after.isEmpty());
            list.setObject(5, after.orElse(new UUID(0, 0)));
            list.setInt(6, most);
            List<StoredFile> files = new ArrayList<>();
            try (ResultSet row = list.executeQuery()) {
                while (row.next()) {
                    files.add(read(row));
                }
            }
            return files;
        }
    }

    public Deletion delete(UUID file, String owner) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                Deletion deletion = delete(connection, file, owner);
                connection.commit();
                return deletion;
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    /** Two statements: a batch that is created meanwhile locks the file, and the second one must see it. */
    private Deletion delete(Connection connection, UUID file, String owner) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(
                        "select 1 from %s.file where id = ? and owner = ? and complete for update".formatted(schema));
                PreparedStatement delete = connection.prepareStatement("""
                        delete from %1$s.file where id = ?
                           and not exists (select 1 from %1$s.batch b where b.input = ? and b.finished is null)
                        """.formatted(schema))) {
            lock.setObject(1, file);
            lock.setString(2, owner);
            try (ResultSet row = lock.executeQuery()) {
                if (!row.next()) {
                    return Deletion.UNKNOWN;
                }
            }
            delete.setObject(1, file);
            delete.setObject(2, file);
            return delete.executeUpdate() == 1 ? Deletion.DELETED : Deletion.IN_USE;
        }
    }

    /**
     * A piece of a file.
     *
     * @param start how many bytes there are before it
     */
    public record Piece(long start, byte[] content) {}

    /** The piece in which the byte at {@code offset} lies; empty behind the last byte, and if the file is gone. */
    public Optional<Piece> piece(UUID file, long offset) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement("""
                        select start, content from %s.file_piece where file = ? and start <= ?
                         order by start desc limit 1
                        """.formatted(schema))) {
            find.setObject(1, file);
            find.setLong(2, offset);
            try (ResultSet row = find.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                Piece piece = new Piece(row.getLong(1), row.getBytes(2));
                return offset < piece.start() + piece.content().length ? Optional.of(piece) : Optional.empty();
            }
        }
    }

    /** Deletes some files whose time is over and that no open batch reads; how many. Zero when none is left. */
    public int purge() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement("""
                        delete from %1$s.file where id = any(array(
                            select id from %1$s.file f where expires < clock_timestamp()
                               and not exists (select 1 from %1$s.batch b where b.input = f.id and b.finished is null)
                             order by expires limit %2$s for update skip locked))
                        """.formatted(schema, PURGED_AT_ONCE))) {
            return delete.executeUpdate();
        }
    }

    private static StoredFile read(ResultSet row) throws SQLException {
        return new StoredFile(
                row.getObject(1, UUID.class),
                row.getString(2),
                row.getString(3),
                Purpose.valueOf(row.getString(4).toUpperCase(Locale.ROOT)),
                row.getLong(5),
                row.getObject(6, OffsetDateTime.class).toInstant(),
                row.getObject(7, OffsetDateTime.class).toInstant());
    }

    private static String word(Purpose purpose) {
        return purpose.name().toLowerCase(Locale.ROOT);
    }
}
