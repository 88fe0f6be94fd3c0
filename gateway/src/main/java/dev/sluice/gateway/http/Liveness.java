package dev.sluice.gateway.http;

import dev.sluice.admission.Admission;
import dev.sluice.gateway.upstream.Upstream;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which providers cannot be reached. One that refuses a connection is reported down to the ledger at once, so that no
 * more work goes there, and up again as soon as it accepts one.
 */
final class Liveness {
    private static final long PROBE_MILLIS = 500;

    private final Admission admission;
    private final Set<String> down = ConcurrentHashMap.newKeySet();

    Liveness(Admission admission) {
        this.admission = admission;
    }

    void unreachable(Lane lane, String provider) {
        if (down.add(provider)) {
            admission.providerUp(provider, false);
            probeLater(lane, provider);
        }
    }

    private void probeLater(Lane lane, String provider) {
        Vertx vertx = lane.vertx();
        vertx.setTimer(PROBE_MILLIS, due -> {
            Upstream upstream = lane.switchboard().upstream(provider).orElse(null);
            if (upstream == null) {
                up(provider);
                return;
            }
            upstream.reachable(lane.outlet()).onComplete(reached -> {
                if (reached.succeeded()) {
                    up(provider);
                } else {
                    probeLater(lane, provider);
                }
            });
        });
    }

    private void up(String provider) {
        // In this order: a failure of another loop in between is ignored, and the next one is told. The other way round
        // the ledger could hear "down" before this "up" and then send work to a provider that nobody probes for it.
        admission.providerUp(provider, true);
        down.remove(provider);
    }
}
