package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.util.Optional;

/** Where the ledger lives. */
public sealed interface Database {
    Path DIR = Path.of("data");
    String SCHEMA = "sluice";
    int POOL_SIZE = 8;
    Range<Integer> POOL_SIZES = Range.of(2, 200);

    /** In this process alone: nothing survives a stop. */
    record Memory() implements Database {}

    /**
     * PostgreSQL started by this process.
     *
     * @param dir data folder
     * @param user system user to run as when the process is root; absent: chosen at start
     * @param poolSize connections, 2 to 200
     */
    record Embedded(Path dir, Optional<String> user, int poolSize) implements Database {
        public Embedded {
            POOL_SIZES.require("pool-size", poolSize);
        }
    }

    /**
     * A PostgreSQL server, shared by any number of gateways.
     *
     * @param url JDBC URL, {@code jdbc:postgresql:…}
     * @param directUrl URL that bypasses a connection pooler, for LISTEN; absent: {@code url}
     * @param schema schema that Sluice owns
     * @param poolSize connections, 2 to 200
     */
    record External(
            String url,
            Optional<String> directUrl,
            String schema,
            Optional<String> user,
            Optional<Secret> password,
            int poolSize)
            implements Database {
        public External {
            if (!isUrl(url)) {
                throw new IllegalArgumentException("url must start with jdbc:postgresql:");
            }
            POOL_SIZES.require("pool-size", poolSize);
        }

        /** Without the URLs, which may hold a password. */
        @Override
        public String toString() {
            return "External[schema=" + schema + ", poolSize=" + poolSize + "]";
        }

        static boolean isUrl(String text) {
            return text.startsWith("jdbc:postgresql:") && text.length() > "jdbc:postgresql:".length();
        }
    }
}
