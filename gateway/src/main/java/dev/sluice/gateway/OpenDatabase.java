package dev.sluice.gateway;

import dev.sluice.gateway.config.Database;
import dev.sluice.gateway.config.Secret;
import dev.sluice.postgres.embedded.EmbeddedPostgres;
import dev.sluice.postgres.embedded.Options;
import java.util.Optional;
import java.util.function.Consumer;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The configured database, its server started if that is the gateway's own.
 *
 * @param source new connections with session features, so past a pooler
 * @param pooled new connections for single statements, which a pooler may serve
 */
record OpenDatabase(
        PGSimpleDataSource source,
        PGSimpleDataSource pooled,
        int poolSize,
        String schema,
        Optional<EmbeddedPostgres> server)
        implements AutoCloseable {
    // A call to a database that hangs must end some time, and then counts as lost.
    private static final int SOCKET_SECONDS = 10;
    static final int CONNECT_SECONDS = 3;

    /**
     * Empty in mode memory, where there is none.
     *
     * @param progress gets a line before each step of a first start that takes time
     * @throws dev.sluice.postgres.embedded.EmbeddedPostgresException if the embedded server cannot start
     */
    static Optional<OpenDatabase> open(Database database, Consumer<String> progress) {
        return switch (database) {
            case Database.Memory memory -> Optional.empty();
            case Database.Embedded embedded -> Optional.of(embedded(embedded, progress));
            case Database.External external -> Optional.of(external(external));
        };
    }

    private static OpenDatabase embedded(Database.Embedded database, Consumer<String> progress) {
        var options = Options.in(database.dir()).withProgress(progress);
        var server =
                EmbeddedPostgres.start(database.user().map(options::withUser).orElse(options));
        var source = source(server.url());
        source.setUser(server.user());
        source.setPassword(server.password());
        return new OpenDatabase(source, source, database.poolSize(), Database.SCHEMA, Optional.of(server));
    }

    private static OpenDatabase external(Database.External database) {
        var source = source(database, database.directUrl().orElse(database.url()));
        var pooled = source(database, database.url());
        // A pooler in transaction mode gives the next statement another session.
        pooled.setPrepareThreshold(database.directUrl().isPresent() ? 0 : pooled.getPrepareThreshold());
        return new OpenDatabase(source, pooled, database.poolSize(), database.schema(), Optional.empty());
    }

    private static PGSimpleDataSource source(Database.External database, String url) {
        var source = source(url);
        database.user().ifPresent(source::setUser);
        database.password().map(Secret::reveal).ifPresent(source::setPassword);
        return source;
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

    @Override
    public void close() {
        server.ifPresent(EmbeddedPostgres::close);
    }
}
