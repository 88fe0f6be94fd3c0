package dev.sluice.gateway.upstream;

/**
 * Why an answer did not come or broke off.
 *
 * @param detail for people, without addresses or credentials
 */
public record UpstreamFailure(Kind kind, String detail) {
    /** The kinds that callers treat differently. */
    public enum Kind {
        /** No connection: the provider has not seen the request. */
        CONNECT,
        /** The connection ended before the head of an answer. */
        RESET,
        /** What came is not an HTTP answer, or its head is too large. */
        MALFORMED,
        /** The answer broke off after its head. */
        CUT
    }

    /** Whether another provider may be asked instead. */
    public boolean retryable() {
        return kind == Kind.CONNECT || kind == Kind.RESET;
    }
}
