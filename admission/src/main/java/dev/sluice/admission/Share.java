package dev.sluice.admission;

/** Which of a provider's slots the tasks of a queue may take. */
enum Share {
    /** All; no provider reserves any. */
    WHOLE,
    /** All but those reserved for asynchronous tasks. */
    SYNC,
    /** All but those reserved for synchronous tasks. */
    ASYNC;

    static Share of(Ask ask) {
        return ask.isSync() ? SYNC : ASYNC;
    }
}
