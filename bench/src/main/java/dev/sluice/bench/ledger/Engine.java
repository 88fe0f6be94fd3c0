package dev.sluice.bench.ledger;

/** What is measured: the name is a JMH parameter. */
public enum Engine {
    SEED {
        @Override
        Rig rig(int providers, int capacity, int backlog) {
            return new SeedRig(providers, capacity, backlog);
        }
    },
    SLUICE {
        @Override
        Rig rig(int providers, int capacity, int backlog) {
            return SluiceRig.oneModel(providers, capacity, backlog);
        }
    };

    abstract Rig rig(int providers, int capacity, int backlog);
}
