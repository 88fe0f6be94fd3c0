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
import java.util.Set;
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
        boolean full =
                settings.capacity().isPresent() && now > settings.capacity().getAsInt();
        SimulatedScript script = full
                ? SimulatedError.atCapacity().script(request.path())
                : script(request.path(), request.body().getBytes());
        var call = new SimulatedCall(vertx, script, listener, running::decrementAndGet);
        call.start();
        return call;
    }

    @Override
    public Set<Protocol> protocols() {
        return Set.of(Protocol.values());
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
            return SimulatedError.asConfigured().script(path);
        }
        var random = new SplittableRandom(settings.seed() ^ ((long) Arrays.hashCode(body) << 17));
        try {
            if (path.endsWith("/chat/completions")) {
                SimulatedRequest request = SimulatedRequest.chat(SimulatedFields.parse(body));
                return answer(request, new SimulatedChat(key(random), now(), request), random);
            } else if (path.endsWith("/completions")) {
                SimulatedRequest request = SimulatedRequest.completion(SimulatedFields.parse(body));
                return answer(request, new SimulatedCompletion(key(random), now(), request), random);
            } else if (path.endsWith("/responses")) {
                SimulatedFields fields = SimulatedFields.parse(body);
                SimulatedRequest request = SimulatedRequest.responses(fields);
                var wire = new SimulatedResponses(key(random), now(), request, fields.echoed());
                return answer(request, wire, random);
            } else if (path.endsWith("/messages")) {
                SimulatedRequest request = SimulatedRequest.messages(SimulatedFields.parse(body));
                return answer(request, new SimulatedMessages(key(random), request), random);
            } else if (path.endsWith("/messages/count_tokens")) {
                int tokens = SimulatedRequest.promptTokens(SimulatedFields.parse(body));
                return SimulatedScript.json(200, 0, Buffer.buffer("{\"input_tokens\":" + tokens + "}"));
            } else if (path.endsWith("/embeddings")) {
                Buffer vectors = SimulatedEmbeddings.answer(SimulatedFields.parse(body), settings.seed());
                return SimulatedScript.json(200, (long) timeToFirstToken(random), vectors);
            }
            return SimulatedError.unknownPath().script(path);
        } catch (SimulatedRefusal refusal) {
            return SimulatedError.of(refusal).script(path);
        }
    }

    private static String key(SplittableRandom random) {
        return Long.toHexString(random.nextLong());
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    private SimulatedScript answer(SimulatedRequest request, SimulatedWire wire, SplittableRandom random) {
        SimulatedText text = SimulatedText.write(request, random);
        return request.stream() ? streamed(text, wire, random) : whole(text, wire, random);
    }

    private SimulatedScript whole(SimulatedText text, SimulatedWire wire, SplittableRandom random) {
        double at = timeToFirstToken(random);
        for (int i = 1; i < text.generated(); i++) {
            at += gap(random);
        }
        return SimulatedScript.json(200, (long) at, wire.whole(text));
    }

    private SimulatedScript streamed(SimulatedText text, SimulatedWire wire, SplittableRandom random) {
        List<Piece> pieces = new ArrayList<>();
        double at = timeToFirstToken(random);
        long first = (long) at;
        boolean any = false;
        for (SimulatedWire.Event event : wire.stream(text, settings.tokensPerChunk())) {
            for (int i = 0; i < event.tokens(); i++) {
                at += any ? gap(random) : 0;
                any = true;
            }
            pieces.add(new Piece((long) at, event.bytes()));
        }
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
