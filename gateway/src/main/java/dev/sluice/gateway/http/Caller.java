package dev.sluice.gateway.http;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Admitted;
import dev.sluice.gateway.upstream.UpstreamRequest;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;

/** Who the answer of a {@link Passage} is for. */
interface Caller {
    /** The request as this provider must get it. */
    UpstreamRequest request(Admitted admitted, String servedName);

    /** Whether nothing of an answer was passed on: another provider may still be asked. */
    boolean untouched();

    void head(int status, MultiMap headers);

    void chunk(Buffer bytes);

    void end();

    /** Instead of an answer, or of the rest of one. */
    void refused(Problem problem);

    /** It has not read for too long. */
    void stalled();

    /** The upstream is closed and what the task holds is no longer needed. */
    default void settle(Admission admission, Admitted owed) {
        admission.release(owed.task(), owed.epoch());
    }
}
