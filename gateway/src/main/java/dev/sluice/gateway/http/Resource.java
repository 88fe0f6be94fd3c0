package dev.sluice.gateway.http;

/** Something below a path that clients create, look at and delete, and that calls no upstream. */
public interface Resource {
    /** For example {@code /v1/files}; it answers this path and all below it. */
    String path();

    /** Answers one request of a known group; on the event loop, which it must not block. */
    void accept(ResourceCall call);
}
