package dev.sluice.postgres.embedded;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The server's settings that are not for choice. They go onto its command line, which wins over {@code
 * postgresql.conf} and {@code ALTER SYSTEM}: there is no way to lose durability or to open the server by a slip.
 * Everything else (memory, connections, autovacuum) may be set in {@code postgresql.conf}.
 */
final class Settings {
    private Settings() {}

    /** For {@code pg_ctl -o}, which hands it to a shell: no value has a character that a shell would touch. */
    static String commandLine(int port) {
        return forced(port).entrySet().stream()
                .map(setting -> "-c " + setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining(" "));
    }

    private static Map<String, String> forced(int port) {
        var settings = new LinkedHashMap<String, String>();
        settings.put("port", Integer.toString(port));
        settings.put("listen_addresses", "127.0.0.1");
        settings.put("unix_socket_directories", "");
        // What is acknowledged is on disk.
        settings.put("fsync", "on");
        settings.put("full_page_writes", "on");
        settings.put("synchronous_commit", "on");
        // A file for each weekday, emptied when its day comes round again.
        settings.put("logging_collector", "on");
        settings.put("log_destination", "stderr");
        settings.put("log_directory", "../log");
        settings.put("log_filename", ServerLog.FILE_NAME);
        settings.put("log_rotation_age", "1d");
        settings.put("log_rotation_size", "0");
        settings.put("log_truncate_on_rotation", "on");
        return settings;
    }
}
