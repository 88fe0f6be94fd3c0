package dev.sluice.gateway.upstream;

import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Set;

/** An upstream that also answers requests of the API that it does not speak, where they can be translated. */
public final class TranslatingUpstream implements Upstream {
    private final Upstream upstream;
    private final InstantSource clock;

    /** @param clock the wall clock, for answers that need a date */
    public TranslatingUpstream(Upstream upstream, InstantSource clock) {
        this.upstream = upstream;
        this.clock = clock;
    }

    @Override
    public Set<Protocol> protocols() {
        return upstream.protocols();
    }

    @Override
    public UpstreamCall open(Outlet outlet, UpstreamRequest request, UpstreamListener listener) {
        if (protocols().contains(Protocol.of(request.path()))) {
            return upstream.open(outlet, request, listener);
        }
        var call = new TranslatedCall(upstream, outlet, listener);
        call.start(request, clock.instant().getEpochSecond());
        return call;
    }

    @Override
    public Future<Void> reachable(Outlet outlet) {
        return upstream.reachable(outlet);
    }
}
