package dev.sluice.bench.cycle;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;

/** Contenders on new databases, open for one setting. */
final class Opened implements AutoCloseable {
    private final Map<String, Cycle> cycles = new LinkedHashMap<>();

    /** A new, empty database for a contender, reached through {@code port}. */
    static String database(Contender contender, String suffix, int port) throws SQLException {
        String name = name(contender, suffix);
        Databases.create(name);
        return Databases.url(port, name);
    }

    static String name(Contender contender, String suffix) {
        return "bench_" + contender.label() + "_" + suffix;
    }

    static Opened all(List<Contender> contenders, String suffix, int port) throws Exception {
        Opened opened = new Opened();
        for (Contender contender : contenders) {
            opened.cycles.put(contender.label(), contender.open(database(contender, suffix, port)));
        }
        return opened;
    }

    void add(String name, Cycle cycle) {
        cycles.put(name, cycle);
    }

    void addWaiting(int tasks) throws Exception {
        for (Cycle cycle : cycles.values()) {
            cycle.addWaiting(tasks);
        }
    }

    /** In another order each round, so that no contender always follows the same other. */
    List<Entry<String, Cycle>> rotated(int round) {
        List<Entry<String, Cycle>> order = new ArrayList<>(cycles.entrySet());
        Collections.rotate(order, round);
        return order;
    }

    @Override
    public void close() {
        cycles.values().forEach(Cycle::close);
    }
}
