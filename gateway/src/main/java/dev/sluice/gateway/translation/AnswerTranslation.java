package dev.sluice.gateway.translation;

import io.vertx.core.buffer.Buffer;

/** The way back of a translated request. */
public interface AnswerTranslation {
    /** A complete answer of status 200. */
    Buffer whole(Buffer body) throws BrokenAnswer;

    /** The body of an answer of status 400 or above, whatever it is. */
    Buffer error(int status, Buffer body);

    /** A stream of events; one for each answer. */
    StreamTranslation stream();
}
