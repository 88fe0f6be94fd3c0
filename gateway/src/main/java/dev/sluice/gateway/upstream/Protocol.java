package dev.sluice.gateway.upstream;

/** The families of APIs that upstreams speak. */
public enum Protocol {
    OPENAI,
    ANTHROPIC;

    private static final String MESSAGES = "/messages";

    /** @param path with or without the version before it, for example {@code /v1/messages} */
    public static Protocol of(String path) {
        return path.endsWith(MESSAGES) || path.contains(MESSAGES + "/") ? ANTHROPIC : OPENAI;
    }
}
