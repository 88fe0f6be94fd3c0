package dev.sluice.gateway.upstream;

import dev.sluice.gateway.config.Upstream.Simulated;
import dev.sluice.gateway.upstream.SimulatedScript.Piece;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A model server without a model. Text and pace follow from the seed and the request alone; whether a request fails
 * follows from the seed and its place in the sequence of requests, so that a repeated request may succeed.
 */
public final class SimulatedUpstream implements Upstream {
    private static final double MICROS = 1e6;

    private final Simulated settings;
    private final InstantSource clock;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong sequence = new AtomicLong();

    public SimulatedUpstream(Simulated settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public UpstreamCall open(Outlet outlet, UpstreamRequest request, UpstreamListener listener) {
        return open(outlet.vertx(), request, listener);
    }

    UpstreamCall open(Vertx vertx, UpstreamRequest request, UpstreamListener listener) {
        int now = running.incrementAndGet();
        SimulatedScript script =
                settings.capacity().isPresent() && now > settings.capacity().getAsInt()
                        ? SimulatedScript.json(
                                429,
                                0,
                                SimulatedWire.error(
                                        "rate_limit_error",
                                        "",
                                        "rate_limit_exceeded",
                                        "The simulated server is at its capacity."))
                        : script(request.path(), request.body().getBytes());
        var call = new SimulatedCall(vertx, script, listener, running::decrementAndGet);
        call.start();
        return call;
    }

    @Override
    public Future<Void> reachable(Outlet outlet) {
        return Future.succeededFuture();
    }

    /** How many requests are in progress. */
    public int running() {
        return running.get();
    }

    SimulatedScript script(String path, byte[] body) {
        long turn = sequence.getAndIncrement();
        if (new SplittableRandom(settings.seed() * 31 + turn).nextDouble() < settings.failureRate()) {
            return SimulatedScript.json(
                    500, 0, SimulatedWire.error("server_error", "", "", "The simulated server failed, as configured."));
        }
        if (!path.endsWith("/chat/completions")) {
            return SimulatedScript.json(
                    404,
                    0,
                    SimulatedWire.error(
                            "invalid_request_error",
                            "",
                            "not_found",
                            "The simulated server answers /chat/completions only."));
        }
        SimulatedRequest request;
        try {
            request = SimulatedRequest.parse(body);
        } catch (SimulatedRequest.Refused e) {
            return SimulatedScript.json(
                    400, 0, SimulatedWire.error("invalid_request_error", e.param, "", String.valueOf(e.getMessage())));
        }
        var random = new SplittableRandom(settings.seed() ^ ((long) Arrays.hashCode(body) << 17));
        String id = "chatcmpl-" + Long.toHexString(random.nextLong());
        var wire = new SimulatedWire(id, clock.instant().getEpochSecond(), request);
        SimulatedText text = SimulatedText.write(request, random);
        return request.stream() ? streamed(request, text, wire, random) : whole(text, wire, random);
    }

    private SimulatedScript whole(SimulatedText text, SimulatedWire wire, SplittableRandom random) {
        double at = timeToFirstToken(random);
        for (int i = 1; i < text.generated(); i++) {
            at += gap(random);
        }
        return SimulatedScript.json(200, (long) at, wire.whole(text));
    }

    private SimulatedScript streamed(
            SimulatedRequest request, SimulatedText text, SimulatedWire wire, SplittableRandom random) {
        List<Piece> pieces = new ArrayList<>();
        double at = timeToFirstToken(random);
        long first = (long) at;
        pieces.add(new Piece(first, wire.role()));
        List<String> tokens = text.tokens();
        for (int from = 0; from < tokens.size(); from += settings.tokensPerChunk()) {
            int to = Math.min(tokens.size(), from + settings.tokensPerChunk());
            for (int i = from; i < to; i++) {
                at += i == 0 ? 0 : gap(random);
            }
            pieces.add(new Piece((long) at, wire.tokens(tokens.subList(from, to))));
        }
        Buffer tail = Buffer.buffer().appendBuffer(wire.finish(text));
        if (request.includeUsage()) {
            tail.appendBuffer(wire.usageChunk(text));
        }
        pieces.add(new Piece((long) at, tail.appendBuffer(SimulatedWire.DONE)));
        return new SimulatedScript(200, "text/event-stream; charset=utf-8", first, pieces);
    }

    private double timeToFirstToken(SplittableRandom random) {
        return vary(settings.timeToFirstToken().toNanos() / 1e3, random);
    }

    private double gap(SplittableRandom random) {
        return vary(MICROS / settings.tokensPerSecond(), random);
    }

    private double vary(double micros, SplittableRandom random) {
        return micros * (1 + settings.jitter() * (2 * random.nextDouble() - 1));
    }
}
