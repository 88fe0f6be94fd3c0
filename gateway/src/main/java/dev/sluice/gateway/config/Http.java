package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * The HTTP servers and the connections to upstreams.
 *
 * @param maxBodyBytes largest request body, 1 KiB to 1 GiB
 * @param maxBufferedBytes all waiting bodies together, at least {@code maxBodyBytes}, up to 1 TiB
 * @param maxHeaderBytes all headers of one request, 1 KiB to 1 MiB
 * @param connectTimeout for a connection to an upstream, 1 ms to 10 min
 * @param idleTimeout silence on a connection after which it is given up, 1 ms to 24 h
 * @param drain how long running requests may go on after the order to stop, 0 to 24 h
 */
public record Http(
        long maxBodyBytes,
        long maxBufferedBytes,
        int maxHeaderBytes,
        Duration connectTimeout,
        Duration idleTimeout,
        Duration drain) {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final long TIB = 1L << 40;
    static final Range<Long> MAX_BODY = Range.of(KIB, GIB);
    static final Range<Long> MAX_BUFFERED = Range.of(KIB, TIB);
    static final Range<Long> MAX_HEADER = Range.of(KIB, MIB);
    static final Range<Duration> CONNECT_TIMEOUT = Range.of(Duration.ofMillis(1), Duration.ofMinutes(10));
    static final Range<Duration> IDLE_TIMEOUT = Range.of(Duration.ofMillis(1), Duration.ofHours(24));
    static final Range<Duration> DRAIN = Range.of(Duration.ZERO, Duration.ofHours(24));

    public static final Http DEFAULT = new Http(
            16 * MIB,
            512 * MIB,
            (int) (16 * KIB),
            Duration.ofSeconds(10),
            Duration.ofMinutes(10),
            Duration.ofSeconds(30));

    public Http {
        MAX_BODY.require("max-body", maxBodyBytes);
        Range.of(maxBodyBytes, TIB).require("max-buffered", maxBufferedBytes);
        MAX_HEADER.require("max-header-size", (long) maxHeaderBytes);
        CONNECT_TIMEOUT.require("connect-timeout", connectTimeout);
        IDLE_TIMEOUT.require("idle-timeout", idleTimeout);
        DRAIN.require("drain", drain);
    }

    Http withMaxHeaderBytes(int bytes) {
        return new Http(maxBodyBytes, maxBufferedBytes, bytes, connectTimeout, idleTimeout, drain);
    }
}
