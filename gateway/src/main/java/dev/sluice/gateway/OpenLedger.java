package dev.sluice.gateway;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.admission.Admission;
import dev.sluice.admission.MemoryAdmission;
import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.config.Database;
import dev.sluice.gateway.config.LedgerPolicies;
import dev.sluice.gateway.config.Secret;
import dev.sluice.postgres.Options;
import dev.sluice.postgres.PostgresAdmission;
import dev.sluice.postgres.embedded.EmbeddedPostgres;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger and whatever keeps it.
 *
 * @param server the embedded server, which outlives the ledger
 * @param available whether requests can be decided now
 * @param durable present if tasks can be kept
 */
record OpenLedger(
        Admission admission, Optional<EmbeddedPostgres> server, BooleanSupplier available, Optional<Durable> durable) {

    /**
     * What tasks need beside the ledger.
     *
     * @param pool connections for statements of their own
     */
    record Durable(PostgresAdmission admission, HikariDataSource pool, String schema) {}

    private static final Logger LOG = LoggerFactory.getLogger(OpenLedger.class);
    // A call to a database that hangs must end some time, and then counts as lost.
    private static final int SOCKET_SECONDS = 10;
    private static final int CONNECT_SECONDS = 3;
    private static final int LOAD_SECONDS = 60;
    private static final String EMBEDDED_SCHEMA = Database.SCHEMA;

    /**
     * @param holder names this process to the ledger
     * @param progress gets a line before each step of a first start that takes time
     * @throws dev.sluice.postgres.embedded.EmbeddedPostgresException if the embedded server cannot start
     */
    static OpenLedger open(Configuration configuration, String holder, Consumer<String> progress) {
        return switch (configuration.database()) {
            case Database.Memory memory ->
                new OpenLedger(
                        MemoryAdmission.start(LedgerPolicies.of(configuration)),
                        Optional.empty(),
                        () -> true,
                        Optional.empty());
            case Database.Embedded embedded -> embedded(embedded, configuration, holder, progress);
            case Database.External external -> {
                var source = source(external, external.directUrl().orElse(external.url()));
                var pooled = source(external, external.url());
                // A pooler in transaction mode gives the next statement another session.
                pooled.setPrepareThreshold(external.directUrl().isPresent() ? 0 : pooled.getPrepareThreshold());
                yield on(
                        source,
                        pool(pooled, external.poolSize()),
                        external.schema(),
                        configuration,
                        holder,
                        Optional.empty());
            }
        };
    }

    private static OpenLedger embedded(
            Database.Embedded database, Configuration configuration, String holder, Consumer<String> progress) {
        var options = dev.sluice.postgres.embedded.Options.in(database.dir()).withProgress(progress);
        var server =
                EmbeddedPostgres.start(database.user().map(options::withUser).orElse(options));
        var source = source(server.url());
        source.setUser(server.user());
        source.setPassword(server.password());
        var ledger = on(
                source, pool(source, database.poolSize()), EMBEDDED_SCHEMA, configuration, holder, Optional.of(server));
        // The folder is locked: whoever worked on it before is dead, and what it held is free.
        try {
            PostgresAdmission admission = (PostgresAdmission) ledger.admission();
            admission.succeed().toCompletableFuture().get(LOAD_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            ledger.close();
            throw new IllegalStateException("the ledger could not be loaded from its own database", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ledger;
    }

    private static OpenLedger on(
            PGSimpleDataSource source,
            HikariDataSource pool,
            String schema,
            Configuration configuration,
            String holder,
            Optional<EmbeddedPostgres> server) {
        var admission = PostgresAdmission.start(source, LedgerPolicies.of(configuration), Options.of(schema, holder));
        return new OpenLedger(
                admission, server, admission::isAvailable, Optional.of(new Durable(admission, pool, schema)));
    }

    private static PGSimpleDataSource source(Database.External database, String url) {
        var source = source(url);
        database.user().ifPresent(source::setUser);
        database.password().map(Secret::reveal).ifPresent(source::setPassword);
        return source;
    }

    private static HikariDataSource pool(PGSimpleDataSource source, int size) {
        var config = new HikariConfig();
        config.setPoolName("sluice-tasks");
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(1);
        // The database may be away at the start, and come later.
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(CONNECT_SECONDS));
        return new HikariDataSource(config);
    }

    /** Ends the ledger, then what it needed. */
    void close() {
        try {
            admission.close();
        } catch (Exception e) {
            LOG.warn("the ledger did not close cleanly", e);
        }
        durable.ifPresent(kept -> kept.pool().close());
        server.ifPresent(EmbeddedPostgres::close);
    }

    private static PGSimpleDataSource source(String url) {
        var source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setSocketTimeout(SOCKET_SECONDS);
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setApplicationName("sluice");
        source.setTcpKeepAlive(true);
        return source;
    }
}
