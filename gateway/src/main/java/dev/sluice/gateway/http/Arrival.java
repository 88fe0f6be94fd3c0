package dev.sluice.gateway.http;

import io.vertx.core.MultiMap;
import java.util.Optional;

/** Everything that can be said of a request before its body is read. */
sealed interface Arrival {
    /** Who asks, and what he wishes of the queue. */
    record Welcome(Tenant tenant, Wishes wishes) implements Arrival {}

    /** @param problem that no body could mend */
    record Refused(Problem problem) implements Arrival {}

    static Arrival of(Lane lane, MultiMap headers) {
        if (lane.draining()) {
            return new Refused(Refusals.shuttingDown());
        }
        Optional<Tenant> caller = lane.switchboard().keyring().tenant(headers, lane.sha256());
        if (caller.isEmpty()) {
            return new Refused(Problems.unknownKey());
        }
        Wishes wishes;
        try {
            wishes = Wishes.of(headers);
        } catch (Wishes.BadHeader bad) {
            return new Refused(bad.problem());
        }
        return fault(lane, headers, caller.get(), wishes)
                .<Arrival>map(Refused::new)
                .orElseGet(() -> new Welcome(caller.get(), wishes));
    }

    private static Optional<Problem> fault(Lane lane, MultiMap headers, Tenant caller, Wishes wishes) {
        if (wishes.async() && lane.shared().tasks().isEmpty()) {
            return Optional.of(Problems.noTasks());
        }
        if (wishes.webhook().isPresent()
                && wishes.webhook().flatMap(caller.group()::webhook).isEmpty()) {
            return Optional.of(Problems.unknownWebhook(caller.group().id()));
        }
        return RequestHead.fault(headers, lane.bodyBytesMax());
    }
}
