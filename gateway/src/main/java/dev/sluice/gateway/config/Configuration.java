package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * All that the operator configured: immutable, complete with defaults, and consistent in itself (ids unique,
 * references resolved) when it was read by {@link ConfigurationFile}.
 *
 * <p>The shared part, which must be the same in all replicas, is platforms, models, groups, workers, dispatch,
 * queueing, files, batches and webhooks.
 */
public record Configuration(
        ListenAddress listen,
        Admin admin,
        Database database,
        List<Platform> platforms,
        List<Model> models,
        List<Group> groups,
        Workers workers,
        Dispatch dispatch,
        Queueing queueing,
        Http http,
        Files files,
        Batches batches,
        Webhooks webhooks) {
    static final ListenAddress LISTEN = new ListenAddress("127.0.0.1", 8080);

    public Configuration {
        platforms = List.copyOf(platforms);
        models = List.copyOf(models);
        groups = List.copyOf(groups);
    }

    /** The same with other addresses, as given on the command line. */
    public Configuration listeningAt(ListenAddress data, ListenAddress adminAddress) {
        return withStatic(data, new Admin(adminAddress, admin.token()), database);
    }

    /** The same with an embedded database, if that is its mode, in another folder. */
    Configuration keptIn(Path dataDir) {
        return switch (database) {
            case Database.Embedded(Path dir, Optional<String> user, int poolSize) ->
                withStatic(listen, admin, new Database.Embedded(dataDir, user, poolSize));
            case Database.External external -> this;
            case Database.Memory memory -> this;
        };
    }

    /** The same with what a running process cannot change taken from {@code running}. */
    Configuration withStaticPartOf(Configuration running) {
        Configuration kept =
                withStatic(running.listen, new Admin(running.admin.listen(), admin.token()), running.database);
        return kept.withHttp(http.withMaxHeaderBytes(running.http.maxHeaderBytes()));
    }

    private Configuration withHttp(Http changed) {
        return new Configuration(
                listen, admin, database, platforms, models, groups, workers, dispatch, queueing, changed, files,
                batches, webhooks);
    }

    private Configuration withStatic(ListenAddress newListen, Admin newAdmin, Database newDatabase) {
        return new Configuration(
                newListen,
                newAdmin,
                newDatabase,
                platforms,
                models,
                groups,
                workers,
                dispatch,
                queueing,
                http,
                files,
                batches,
                webhooks);
    }
}
