package dev.sluice.postgres.batches;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Batches as their clients see them. Every method blocks and takes a connection for the time of one statement. */
public final class BatchStore {
    private final DataSource database;
    private final String schema;

    /** @param database may be a pooler in transaction mode */
    public BatchStore(DataSource database, String schema) {
        this.database = database;
        this.schema = '"' + schema + '"';
    }

    /** Keeps a batch and tells all who feed; empty, and nothing is kept, if the owner has no such file for it. */
    public Optional<StoredBatch> insert(NewBatch batch) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("""
                        with input as (
                            select id from %1$s.file where id = ? and owner = ? and complete and purpose = 'batch'
                               for share),
                        b as (
                            insert into %1$s.batch (id, owner, endpoint, input, time_window, priority, metadata,
                                                    output_ttl, webhook, deadline)
                            select ?, ?, ?, input.id, ?, ?, ?, ?, ?, clock_timestamp() + ? * interval '1 millisecond'
                              from input
                            returning *)
                        select %2$s from b
                        """.formatted(schema, BatchRows.COLUMNS))) {
            insert.setObject(1, batch.input());
            insert.setString(2, batch.owner());
            insert.setObject(3, batch.id());
            insert.setString(4, batch.owner());
            insert.setString(5, batch.endpoint());
            insert.setString(6, batch.window());
            insert.setInt(7, batch.priority());
            insert.setString(8, batch.metadata().orElse(null));
            insert.setObject(9, batch.outputLife().map(Duration::toMillis).orElse(null), Types.BIGINT);
            insert.setString(10, batch.webhook().orElse(null));
            insert.setLong(11, batch.time().toMillis());
            return one(insert);
        }
    }

    private static Optional<StoredBatch> one(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.of(BatchRows.read(row)) : Optional.empty();
        }
    }

    public Optional<StoredBatch> find(UUID batch, String owner) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement(
                        "select %s from %s.batch b where id = ? and owner = ?".formatted(BatchRows.COLUMNS, schema))) {
            find.setObject(1, batch);
            find.setString(2, owner);
            return one(find);
        }
    }

    /** The owner's batches, the newest first. */
    public List<StoredBatch> list(String owner, Optional<UUID> after, int most) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement list = connection.prepareStatement("""
                        select %1$s from %2$s.batch b
                         where owner = ?
                           and (?::boolean or (created, id) < (select created, id from %2$s.batch where id = ?))
                         order by created desc, id desc limit ?
                        """.formatted(BatchRows.COLUMNS, schema))) {
            list.setString(1, owner);
            list.setBoolean(2, after.isEmpty());
            list.setObject(3, after.orElse(new UUID(0, 0)));
            list.setInt(4, most);
            List<StoredBatch> batches = new ArrayList<>();
            try (ResultSet row = list.executeQuery()) {
                while (row.next()) {
                    batches.add(BatchRows.read(row));
                }
            }
            return batches;
        }
    }

    /** From now on no line is fed; false if the batch is not being validated or worked on. */
    public boolean cancel(UUID batch) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement cancel = connection.prepareStatement("""
                        update %s.batch set state = 'cancelling', cancelling = clock_timestamp()
                         where id = ? and state in ('validating', 'in_progress')
                        """.formatted(schema))) {
            cancel.setObject(1, batch);
            return cancel.executeUpdate() == 1;
        }
    }

    /** Deletes batches that ended longer ago than {@code retention}. */
    public int purgeOlder(Duration retention) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement("""
                        delete from %s.batch where purged and finished < clock_timestamp() - ? * interval '1 millisecond'
                        """.formatted(schema))) {
            delete.setLong(1, retention.toMillis());
            return delete.executeUpdate();
        }
    }
}
