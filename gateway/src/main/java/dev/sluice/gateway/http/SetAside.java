package dev.sluice.gateway.http;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;

/** An upstream's refusal that is kept in case no other provider takes the task. */
final class SetAside {
    private static final int BYTES_MAX = 64 << 10;

    private final int status;
    private final MultiMap headers;
    private final Buffer body = Buffer.buffer();

    SetAside(int status, MultiMap headers) {
        this.status = status;
        this.headers = headers;
    }

    int status() {
        return status;
    }

    /** False if it is too large to be kept. */
    boolean add(Buffer bytes) {
        body.appendBuffer(bytes);
        return body.length() <= BYTES_MAX;
    }

    void giveTo(Caller caller) {
        caller.head(status, headers);
        caller.chunk(body);
        caller.end();
    }
}
