package dev.sluice.gateway.upstream;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * A simulated answer before it is played.
 *
 * @param head when the head is sent, in microseconds after the request
 * @param pieces in the order they are sent
 */
record SimulatedScript(int status, String contentType, long head, List<Piece> pieces) {
    SimulatedScript {
        pieces = List.copyOf(pieces);
    }

    /** Bytes of the body and when they are sent, in microseconds after the request. */
    record Piece(long at, Buffer bytes) {}

    static SimulatedScript json(int status, long at, Buffer body) {
        return new SimulatedScript(status, "application/json", at, List.of(new Piece(at, body)));
    }
}
