package dev.sluice.bench.cycle;

import java.util.Locale;
import java.util.Optional;

/** What can be measured in this JVM. */
enum Contender {
    /** The statement-by-statement port of the seed. */
    SEED {
        @Override
        Cycle open(String url) throws Exception {
            return new SeedCycle(url);
        }

        @Override
        Optional<HotQueue.Opening> hotQueue() {
            return Optional.of(SeedHotQueue::new);
        }
    },
    /** A single-row insert and a single-row delete, each its own commit: what durability costs at least. */
    BARE {
        @Override
        Cycle open(String url) throws Exception {
            return new BareCycle(url);
        }
    },
    /** The durable engine. */
    SLUICE {
        @Override
        Cycle open(String url) {
            return new SluiceCycle(url);
        }

        @Override
        Optional<HotQueue.Opening> hotQueue() {
            return Optional.of(SluiceHotQueue::new);
        }
    };

    static final int CALLERS_MAX = 128;
    /** Callers spread over so many models and groups. */
    static final int MODELS = 8;

    static final int GROUPS = 64;
    /** The backlog stands in other models and groups than the callers'. */
    static final int BACKLOG_MODELS = 50;

    static final int BACKLOG_GROUPS = 1_000;

    /** Opens the contender on an empty database of its own, and makes its tables. */
    abstract Cycle open(String url) throws Exception;

    /** How to open it as a queue with one hot scope, if it knows scopes. */
    Optional<HotQueue.Opening> hotQueue() {
        return Optional.empty();
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Contender named(String label) {
        return valueOf(label.strip().toUpperCase(Locale.ROOT));
    }
}
