package dev.sluice.bench.seed;

/** What one provider has in use over all groups; not in the seed's file, written from its uses at lines 90-97 and 205-221. */
final class ProviderResource {
    int capacity;
    int longCapacity;
    int inFlight;
    int longInFlight;
    boolean orphan;

    boolean canReserve(boolean isLong) {
        return inFlight < capacity && !(isLong && longCapacity > 0 && longInFlight >= longCapacity);
    }

    void reserve(boolean isLong) {
        inFlight++;
        if (isLong && longCapacity > 0) {
            longInFlight++;
        }
    }

    void release(boolean isLong) {
        inFlight--;
        if (isLong) {
            longInFlight--;
        }
    }
}
