package dev.sluice.admission;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps what changed as values, for an engine that writes them elsewhere or takes them back. */
final class Changes implements Witness {
    /** As many as most decisions make. */
    private static final int USUAL = 4;

    private List<Change> changes = new ArrayList<>(USUAL);

    @Override
    public void saw(
            Node node, @Nullable Row before, @Nullable Row after, Change.Cause cause, @Nullable Evicted evicted) {
        changes.add(new Change(before, after, cause, evicted));
    }

    /** The changes since the last call, in order. */
    List<Change> take() {
        if (changes.isEmpty()) {
            return List.of();
        }
        List<Change> taken = changes;
        changes = new ArrayList<>(USUAL);
        return taken;
    }
}
