package dev.sluice.gateway.config;

/**
 * What a group may start in a minute.
 *
 * @param requestsPerMinute 0 = unlimited
 * @param tokensPerMinute 0 = unlimited
 */
public record Rate(long requestsPerMinute, long tokensPerMinute) {
    static final Range<Long> PER_MINUTE = Range.of(0L, 1_000_000_000_000L);

    public Rate {
        PER_MINUTE.require("requests-per-minute", requestsPerMinute);
        PER_MINUTE.require("tokens-per-minute", tokensPerMinute);
    }
}
