package dev.sluice.gateway.translation;

import io.vertx.core.buffer.Buffer;

/** Translates a stream of events piece by piece, wherever the pieces are cut. */
public interface StreamTranslation {
    /** What is known now; may be nothing. */
    Buffer chunk(Buffer bytes) throws BrokenAnswer;

    /** The rest, when the upstream has ended. */
    Buffer end() throws BrokenAnswer;
}
