package dev.sluice.gateway.config;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** What answers at a provider, one case per provider {@code type}. */
public sealed interface Upstream {

    /**
     * Any server that speaks the OpenAI API.
     *
     * @param baseUrl http or https, without a trailing slash, without user, query or fragment
     * @param apiKey sent as bearer token; absent: no header
     */
    record OpenAi(URI baseUrl, Optional<Secret> apiKey) implements Upstream {}

    /**
     * Any server that speaks the Anthropic API.
     *
     * @param baseUrl http or https, without a trailing slash, without user, query or fragment; what follows it begins
     *     with {@code /messages}
     * @param apiKey sent as {@code x-api-key}; absent: no header
     */
    record Anthropic(URI baseUrl, Optional<Secret> apiKey) implements Upstream {}

    /**
     * An upstream inside the gateway that answers like a model server, for trying things out and for tests.
     *
     * @param timeToFirstToken wait before the first token, 0 to 1 h
     * @param tokensPerSecond pace of one answer, 0.001 to 1,000,000
     * @param jitter share by which each wait varies, 0 to 1
     * @param failureRate share of requests that fail, 0 to 1
     * @param tokensPerChunk tokens in one streamed event, at least 1
     * @param seed the same seed and request give the same answer
     * @param capacity requests at once beyond which it answers 429 itself; absent: no limit of its own
     */
    record Simulated(
            Duration timeToFirstToken,
            double tokensPerSecond,
            double jitter,
            double failureRate,
            int tokensPerChunk,
            long seed,
            OptionalInt capacity)
            implements Upstream {
        static final Range<Duration> TIME_TO_FIRST_TOKEN = Range.of(Duration.ZERO, Duration.ofHours(1));
        static final Range<Double> TOKENS_PER_SECOND = Range.of(0.001, 1_000_000.0);
        static final Range<Double> SHARE = Range.of(0.0, 1.0);
        static final Range<Integer> TOKENS_PER_CHUNK = Range.of(1, 10_000);
        static final Range<Long> SEED = Range.of(0L, 1_000_000_000_000_000_000L - 1);
        static final Range<Integer> CAPACITY = Range.of(1, 1_000_000);

        /** What a provider of type simulated does when its file says nothing more. */
        public static final Simulated DEFAULT =
                new Simulated(Duration.ofMillis(200), 50, 0.1, 0, 1, 0, OptionalInt.empty());

        public Simulated {
            TIME_TO_FIRST_TOKEN.require("time-to-first-token", timeToFirstToken);
            TOKENS_PER_SECOND.require("tokens-per-second", tokensPerSecond);
            SHARE.require("jitter", jitter);
            SHARE.require("failure-rate", failureRate);
            TOKENS_PER_CHUNK.require("tokens-per-chunk", tokensPerChunk);
            capacity.ifPresent(value -> CAPACITY.require("capacity", value));
        }
    }
}
