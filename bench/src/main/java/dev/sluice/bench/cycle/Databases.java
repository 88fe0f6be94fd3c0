package dev.sluice.bench.cycle;

import dev.sluice.bench.report.Results;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The server that bench/run started, and a database for each contender. */
public final class Databases {
    private static final String HOST = "127.0.0.1";

    private Databases() {}

    public static int port() {
        return Results.option("pgport", 0);
    }

    public static String url(int port, String database) {
        return "jdbc:postgresql://" + HOST + ":" + port + "/" + database + "?user=postgres&sslmode=disable";
    }

    /** Makes an empty database. */
    public static void create(String database) throws SQLException {
        String admin = url(port(), "postgres");
        execute(admin, "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
        execute(admin, "CREATE DATABASE " + database);
    }

    public static void vacuum(String url) throws SQLException {
        execute(url, "VACUUM ANALYZE");
    }

    public static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public static String ask(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (!row.next()) {
                throw new SQLException("no rows: " + sql);
            }
            return row.getString(1);
        }
    }

    /** Refuses to measure a server that would not survive a power cut. */
    public static String describe() throws SQLException {
        String admin = url(port(), "postgres");
        for (String setting : new String[] {"fsync", "synchronous_commit", "full_page_writes"}) {
            String value = ask(admin, "SHOW " + setting);
            if (!value.equals("on")) {
                throw new IllegalStateException(setting + " is " + value);
            }
        }
        return "PostgreSQL " + ask(admin, "SHOW server_version")
                + ", fsync, synchronous_commit and full_page_writes on, " + "shared_buffers "
                + ask(admin, "SHOW shared_buffers");
    }

    /** Bytes of write-ahead log since the cluster was made. */
    static long walBytes() throws SQLException {
        return Long.parseLong(ask(url(port(), "postgres"), "SELECT pg_current_wal_insert_lsn() - '0/0'"));
    }

    /** Commits and roll-backs of a database; exact once its sessions have ended. */
    static long transactions(String database) throws SQLException {
        return Long.parseLong(ask(
                url(port(), "postgres"),
                "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = '" + database + "'"));
    }
}
