package dev.sluice.gateway.upstream;

import io.vertx.core.Future;

/** Something that answers inference requests. Safe for use by many event loops. */
public interface Upstream {
    /**
     * Sends a request. Must be called on the loop of {@code outlet}; the listener is called there too, never before
     * this method returns.
     */
    UpstreamCall open(Outlet outlet, UpstreamRequest request, UpstreamListener listener);

    /** Succeeds when something listens there; must be called on the loop of {@code outlet}. */
    Future<Void> reachable(Outlet outlet);
}
