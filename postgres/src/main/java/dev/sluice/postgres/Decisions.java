package dev.sluice.postgres;

import dev.sluice.admission.Change;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Totals;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Lets the mirror decide what nobody has committed yet, and takes it back. */
record Decisions(Mirror mirror, DatabaseClock clock, Options options) {
    /** Heartbeats older than so many periods are no ground to take anybody for dead. */
    private static final int HEARD_TIMES = 3;

    /** @param ended tasks that leave the ledger first, because they have ended elsewhere */
    Tentative decide(List<Op<?>> ops, Collection<UUID> ended) {
        List<Change> changes = new ArrayList<>();
        int[] ends = new int[ops.size() + 1];
        Totals counted = mirror.read(ledger -> {
            Totals before = ledger.totals();
            long now = mirror.decisionTime(
                    clock.now(), HEARD_TIMES * options.heartbeat().toNanos());
            ledger.advance(now);
            ended.forEach(task -> ledger.cancel(task, Eviction.CANCELLED, now));
            changes.addAll(ledger.takeChanges());
            ends[0] = changes.size();
            for (int i = 0; i < ops.size(); i++) {
                ops.get(i).decide(ledger, now);
                changes.addAll(ledger.takeChanges());
                ends[i + 1] = changes.size();
            }
            return before;
        });
        Map<String, ProviderState> operated = new TreeMap<>();
        ops.forEach(op -> operated.putAll(op.operated));
        Effects effects = Effects.of(changes, options.holder(), mirror.isAlone(options.holder(), clock.now()));
        return new Tentative(changes, ends, counted, operated, effects);
    }

    void undo(Tentative tentative) {
        mirror.read(ledger -> {
            ledger.undo(tentative.changes(), tentative.before(), clock.now());
            return true;
        });
    }
}
