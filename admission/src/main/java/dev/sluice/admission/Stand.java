package dev.sluice.admission;

import org.jspecify.annotations.Nullable;

/**
 * Where a queue stands in line for one scope: as a bystander, which needs the scope and waits for another one, or as a
 * watcher, whose head cannot run before this scope has room. It is itself its place among the bystanders.
 */
final class Stand extends Heads.Place {
    final ScopeState scope;

    /** False for what is only watched, and so has no front: the long-context slots of a provider. */
    final boolean isFront;

    private final long bit;
    private Heads.@Nullable Place watcher;

    /**
     * @param amount thousandths that each task of the queue needs of the scope
     * @param bit of a front: its own of {@link Binding#settled}, if one is left for it
     */
    Stand(Binding binding, ScopeState scope, long amount, boolean isFront, long bit) {
        super(binding, amount, bit);
        this.scope = scope;
        this.isFront = isFront;
        this.bit = bit;
    }

    /** Its place among the watchers. */
    Heads.Place watcher() {
        if (watcher == null) {
            watcher = new Heads.Place(binding, amount, bit);
        }
        return watcher;
    }

    boolean isWatching() {
        return watcher != null && watcher.isIn();
    }

    boolean blocks(Node head) {
        return !scope.hasRoom(amount, head);
    }
}
