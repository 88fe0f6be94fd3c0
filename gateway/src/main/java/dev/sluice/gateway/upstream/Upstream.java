package dev.sluice.gateway.upstream;

import io.vertx.core.Future;
import java.util.Set;

/** Something that answers inference requests. Safe for use by many event loops. */
public interface Upstream {
    /**
     * Sends a request. Must be called on the loop of {@code outlet}; the listener is called there too, never before
     * this method returns.
     */
    UpstreamCall open(Outlet outlet, UpstreamRequest request, UpstreamListener listener);

    /** The APIs that it answers. */
    Set<Protocol> protocols();

    /** Succeeds when something listens there; must be called on the loop of {@code outlet}. */
    Future<Void> reachable(Outlet outlet);
}
