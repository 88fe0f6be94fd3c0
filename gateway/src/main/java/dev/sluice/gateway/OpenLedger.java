package dev.sluice.gateway;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.admission.Admission;
import dev.sluice.admission.MemoryAdmission;
import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.config.LedgerPolicies;
import dev.sluice.postgres.Options;
import dev.sluice.postgres.PostgresAdmission;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger and whatever keeps it.
 *
 * @param available whether requests can be decided now
 * @param durable present if tasks can be kept
 */
record OpenLedger(Admission admission, BooleanSupplier available, Optional<Durable> durable) {

    /**
     * What the durable ledger stands on, and tasks need beside it.
     *
     * @param pool connections for statements of their own
     */
    record Durable(PostgresAdmission admission, HikariDataSource pool, OpenDatabase database) {
        String schema() {
            return database.schema();
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(OpenLedger.class);
    private static final int LOAD_SECONDS = 60;

    /**
     * @param holder names this process to the ledger
     * @param progress gets a line before each step of a first start that takes time
     * @throws dev.sluice.postgres.embedded.EmbeddedPostgresException if the embedded server cannot start
     */
    static OpenLedger open(Configuration configuration, String holder, Consumer<String> progress) {
        return OpenDatabase.open(configuration.database(), progress)
                .map(database -> on(database, configuration, holder, progress))
                .orElseGet(() -> new OpenLedger(
                        MemoryAdmission.start(LedgerPolicies.of(configuration)), () -> true, Optional.empty()));
    }

    private static OpenLedger on(
            OpenDatabase database, Configuration configuration, String holder, Consumer<String> progress) {
        var admission = PostgresAdmission.start(
                database.pooled(),
                database.source(),
                LedgerPolicies.of(configuration),
                Options.of(database.schema(), holder));
        var durable = new Durable(admission, pool(database), database);
        var ledger = new OpenLedger(admission, admission::isAvailable, Optional.of(durable));
        if (database.server().isPresent()) {
            progress.accept("Loading the ledger…");
            ledger.succeed(admission);
        }
        return ledger;
    }

    /** The folder of the own server is locked: whoever worked on it before is dead, and what it held is free. */
    private void succeed(PostgresAdmission loading) {
        try {
            loading.succeed().toCompletableFuture().get(LOAD_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            close();
            throw new IllegalStateException("the ledger could not be loaded from its own database", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static HikariDataSource pool(OpenDatabase database) {
        var config = new HikariConfig();
        config.setPoolName("sluice-tasks");
        config.setDataSource(database.pooled());
        config.setMaximumPoolSize(database.poolSize());
        config.setMinimumIdle(1);
        // The database may be away at the start, and come later.
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(OpenDatabase.CONNECT_SECONDS));
        return new HikariDataSource(config);
    }

    /** Ends the ledger, then what it needed. */
    void close() {
        try {
            admission.close();
        } catch (Exception e) {
            LOG.warn("the ledger did not close cleanly", e);
        }
        durable.ifPresent(kept -> {
            kept.pool().close();
            kept.database().close();
        });
    }
}
