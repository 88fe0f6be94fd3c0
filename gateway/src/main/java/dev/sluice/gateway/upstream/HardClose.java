package dev.sluice.gateway.upstream;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Closes a connection at once and drops what was not sent. The close of Vert.x first waits until everything is sent,
 * which a peer that does not read puts off for ever.
 */
public final class HardClose {
    private HardClose() {}

    /** @return completed when our side is closed */
    public static Future<Void> of(HttpConnection connection) {
        if (!(connection instanceof ConnectionBase base)) {
            return connection.close();
        }
        Promise<Void> closed = Promise.promise();
        base.channelHandlerContext().close().addListener(done -> closed.complete());
        return closed.future();
    }
}
