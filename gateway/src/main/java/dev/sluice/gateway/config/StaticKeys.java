package dev.sluice.gateway.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The keys that a running process cannot change: sockets and the database are opened at start. */
final class StaticKeys {
    private StaticKeys() {}

    /** Those whose value in {@code wanted} is another than in {@code running}. */
    static List<String> changed(Configuration running, Configuration wanted) {
        List<String> keys = new ArrayList<>();
        note(keys, "listen", running.listen(), wanted.listen());
        note(keys, "admin.listen", running.admin().listen(), wanted.admin().listen());
        note(keys, "database", running.database(), wanted.database());
        note(
                keys,
                "http.max-header-size",
                running.http().maxHeaderBytes(),
                wanted.http().maxHeaderBytes());
        return keys;
    }

    private static void note(List<String> keys, String key, Object running, Object wanted) {
        if (!Objects.equals(running, wanted)) {
            keys.add(key);
        }
    }
}
