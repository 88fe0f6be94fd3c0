package dev.sluice.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.util.concurrent.CompletionStage;

/** Events that somebody reads on, from a place of his own. */
public interface Chronicle {
    /**
     * What comes next, when it is there. Asked again only when that is complete, which it is on any thread; it fails when
     * nothing can be said any more.
     */
    CompletionStage<Piece> next();

    /** Nobody reads on. Safe on any thread. */
    void close();

    /**
     * @param bytes whole server-sent events
     * @param last whether that was all
     */
    record Piece(Buffer bytes, boolean last) {}
}
