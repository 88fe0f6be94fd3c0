package dev.sluice.gateway;

import dev.sluice.gateway.config.Database;
import dev.sluice.gateway.config.Secret;
import dev.sluice.postgres.embedded.EmbeddedPostgres;
import dev.sluice.postgres.embedded.Options;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The configured database, for a command that works on it while no gateway does. */
record OpenDatabase(DataSource source, String schema, Optional<EmbeddedPostgres> server) implements AutoCloseable {
    /** Empty in mode memory, where there is none. */
    static Optional<OpenDatabase> open(Database database, Consumer<String> progress) {
        return switch (database) {
            case Database.Memory memory -> Optional.empty();
            case Database.Embedded embedded -> {
                var options = Options.in(embedded.dir()).withProgress(progress);
                var server = EmbeddedPostgres.start(
                        embedded.user().map(options::withUser).orElse(options));
                var source = source(server.url());
                source.setUser(server.user());
                source.setPassword(server.password());
                yield Optional.of(new OpenDatabase(source, Database.SCHEMA, Optional.of(server)));
            }
            case Database.External external -> {
                var source = source(external.directUrl().orElse(external.url()));
                external.user().ifPresent(source::setUser);
                external.password().map(Secret::reveal).ifPresent(source::setPassword);
                yield Optional.of(new OpenDatabase(source, external.schema(), Optional.empty()));
            }
        };
    }

    private static PGSimpleDataSource source(String url) {
        var source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setApplicationName("sluice transfer");
        return source;
    }

    @Override
    public void close() {
        server.ifPresent(EmbeddedPostgres::close);
    }
}
