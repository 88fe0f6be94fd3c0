package dev.sluice.gateway.batches;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Scope;
import dev.sluice.admission.Snapshot;
import dev.sluice.gateway.http.Vetting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many more lines may be queued without taking others their place: half of a limited queue stays theirs. */
final class Room {
    /** Thousandths, for the limited scopes alone. */
    private final Map<Scope, Long> left = new HashMap<>();

    Room(Snapshot snapshot) {
        for (Snapshot.ScopeView scope : snapshot.scopes()) {
            boolean shared = !scope.scope().type().equals(Scope.WORKER_CAPACITY);
            if (scope.limit() > 0 && shared) {
                long share = Math.multiplyExact(scope.queueLimit() / 2, Amount.ONE);
                left.put(scope.scope(), scope.limit() + share - scope.active() - scope.waiting() * Amount.ONE);
            }
        }
    }

    /** Whether there is room for a line, which then is taken. */
    boolean take(Vetting.Good line) {
        List<Scope> models = line.scopes();
        boolean anyModel = models.stream().anyMatch(scope -> has(scope, line.amount()));
        if (!anyModel || !has(line.group(), line.amount())) {
            return false;
        }
        left.computeIfPresent(line.group(), (scope, room) -> room - line.amount());
        models.stream()
                .filter(scope -> has(scope, line.amount()))
                .findFirst()
                .ifPresent(first -> left.computeIfPresent(first, (scope, room) -> room - line.amount()));
        return true;
    }

    private boolean has(Scope scope, long amount) {
        return left.getOrDefault(scope, Long.MAX_VALUE) >= amount;
    }
}
