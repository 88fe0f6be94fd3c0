package dev.sluice.gateway;

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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The ledger and whatever keeps it.
 *
 * @param server the embedded server, which outlives the ledger
 * @param available whether requests can be decided now
 */
record OpenLedger(Admission admission, Optional<EmbeddedPostgres> server, BooleanSupplier available) {
    // A call to a database that hangs must end some time, and then counts as lost.
    private static final int SOCKET_SECONDS = 10;
    private static final int CONNECT_SECONDS = 3;
    private static final String EMBEDDED_SCHEMA = Database.SCHEMA;

    /**
     * @param holder names this process to the ledger
     * @param progress gets a line before each step of a first start that takes time
     * @throws dev.sluice.postgres.embedded.EmbeddedPostgresException if the embedded server cannot start
     */
    static OpenLedger open(Configuration configuration, String holder, Consumer<String> progress) {
        return switch (configuration.database()) {
            case Database.Memory memory ->
                new OpenLedger(MemoryAdmission.start(LedgerPolicies.of(configuration)), Optional.empty(), () -> true);
            case Database.Embedded embedded -> embedded(embedded, configuration, holder, progress);
            case Database.External external -> {
                var source = source(external.directUrl().orElse(external.url()));
                external.user().ifPresent(source::setUser);
                external.password().map(Secret::reveal).ifPresent(source::setPassword);
                yield on(source, external.schema(), configuration, holder, Optional.empty());
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
        return on(source, EMBEDDED_SCHEMA, configuration, holder, Optional.of(server));
    }

    private static OpenLedger on(
            PGSimpleDataSource source,
            String schema,
            Configuration configuration,
            String holder,
            Optional<EmbeddedPostgres> server) {
        var admission = PostgresAdmission.start(source, LedgerPolicies.of(configuration), Options.of(schema, holder));
        return new OpenLedger(admission, server, admission::isAvailable);
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
