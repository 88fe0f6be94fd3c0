package dev.sluice.gateway.load;

import java.util.Set;

/** What an upstream does with one request, and which ends of it are right for a client that behaves well. */
enum Conduct {
    ANSWER("complete"),
    SLOW("complete"),
    /** Events that no parser would take: they pass untouched. */
    MALFORMED("complete"),
    RESET("502 upstream_error", "cut upstream_error"),
    RESET_MIDWAY("502 upstream_error", "cut upstream_error"),
    SILENT("504 upstream_timeout", "cut upstream_timeout"),
    SILENT_MIDWAY("504 upstream_timeout", "cut upstream_timeout"),
    NO_HTTP("502 upstream_error", "cut upstream_error"),
    ENDLESS_HEADERS("504 upstream_timeout", "cut upstream_timeout"),
    FAIL_500("500 theirs", "cut theirs"),
    BUSY_503("503 theirs", "cut theirs"),
    /** Streams as much as is taken, without end: for clients that never see an end anyhow. */
    ENDLESS();

    /** Never admitted, or the machine itself stalled for longer than an upstream may be silent. */
    private static final Set<String> ALWAYS_CLEAR = Set.of(
            "429 queue_full",
            "429 concurrency_limit_exceeded",
            "503 queue_timeout",
            "cut queue_timeout",
            "504 upstream_timeout",
            "cut upstream_timeout");

    private final Set<String> rightEnds;

    Conduct(String... rightEnds) {
        this.rightEnds = Set.of(rightEnds);
    }

    /** Whether a well-behaved client may see this end: the one that the conduct leads to, or an error of the queue's. */
    boolean mayEnd(String end) {
        return rightEnds.contains(end) || ALWAYS_CLEAR.contains(end);
    }
}
