package dev.sluice.bench.cycle;

import java.util.Locale;
import java.util.Optional;

/** What can be measured in this JVM. */
enum Contender {
    /** The statement-by-statement port of the seed. */
    SEED {
        @Override
        Cycle open(String url, boolean fresh) throws Exception {
            return new SeedCycle(url, fresh);
        }

        @Override
        Optional<HotQueue.Opening> hotQueue() {
            return Optional.of(SeedHotQueue::new);
        }
    },
    /** A single-row insert and a single-row delete, each its own commit: what durability costs at least. */
    BARE {
        @Override
        Cycle open(String url, boolean fresh) throws Exception {
            return new BareCycle(url, fresh);
        }
    };

    static final int CALLERS_MAX = 128;
    /** Callers spread over so many models and groups. */
    static final int MODELS = 8;

    static final int GROUPS = 64;
    /** The backlog stands in other models and groups than the callers'. */
    static final int BACKLOG_MODELS = 50;

    static final int BACKLOG_GROUPS = 1_000;

    /**
     * Opens the contender on a database of its own.
     *
     * @param fresh whether the database is empty and needs its tables
     */
    abstract Cycle open(String url, boolean fresh) throws Exception;

    /** How to open it as a queue with one hot scope, if it knows scopes. */
    Optional<HotQueue.Opening> hotQueue() {
        return Optional.empty();
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String database() {
        return "bench_" + label();
    }

    static Contender named(String label) {
        return valueOf(label.strip().toUpperCase(Locale.ROOT));
    }
}
