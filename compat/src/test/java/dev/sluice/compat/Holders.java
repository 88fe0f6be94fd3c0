package dev.sluice.compat;

import java.util.List;

/** Requests that hold places until they are closed. */
record Holders(List<Holder> all) implements AutoCloseable {
    @Override
    public void close() {
        all.reversed().forEach(Holder::close);
    }
}
