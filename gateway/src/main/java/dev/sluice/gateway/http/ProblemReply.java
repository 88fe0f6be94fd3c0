package dev.sluice.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** Sends a problem as a whole answer. */
final class ProblemReply {
    private static final CharSequence APPLICATION_JSON = HttpHeaders.createOptimized("application/json");
    private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("retry-after");
    private static final CharSequence X_SHOULD_RETRY = HttpHeaders.createOptimized("x-should-retry");
    private static final CharSequence WWW_AUTHENTICATE = HttpHeaders.createOptimized("www-authenticate");
    // Several times the usual largest body: who sends somewhat too much shall learn it. The time bounds it, too.
    private static final long LINGER_BYTES_MAX = 64L << 20;

    private ProblemReply() {}

    static Future<Void> send(Lane lane, HttpServerRequest request, Dialect dialect, Problem problem) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return Future.succeededFuture();
        }
        response.setStatusCode(dialect.status(problem));
        response.putHeader(HttpHeaders.CONTENT_TYPE, APPLICATION_JSON);
        long retryAfter = problem.retryAfterSeconds();
        if (retryAfter > 0) {
            response.putHeader(RETRY_AFTER, Long.toString(retryAfter));
        }
        if (!problem.retryHelps()) {
            response.putHeader(X_SHOULD_RETRY, "false");
        }
        if (problem.fault() == Fault.INVALID_API_KEY) {
            response.putHeader(WWW_AUTHENTICATE, "Bearer");
        }
        boolean unread = hasBody(request) && !request.isEnded();
        if (unread || lane.draining()) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        Future<Void> sent = response.end(dialect.body(problem, Stamp.requestId(response)));
        if (unread) {
            linger(lane, request);
        } else if (lane.draining()) {
            sent.onComplete(done -> request.connection().close());
        }
        return sent;
    }

    static boolean hasBody(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length != null ? !length.equals("0") : request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    }

    /** Closing with unread bytes would reset the connection and could destroy the answer on its way. */
    private static void linger(Lane lane, HttpServerRequest request) {
        long timer = lane.vertx()
                .setTimer(
                        lane.patience().linger().toMillis(),
                        late -> request.connection().close());
        long[] seen = new long[1];
        request.exceptionHandler(broken -> lane.vertx().cancelTimer(timer));
        request.handler(bytes -> {
            seen[0] += bytes.length();
            if (seen[0] > LINGER_BYTES_MAX) {
                lane.vertx().cancelTimer(timer);
                request.connection().close();
            }
        });
        request.endHandler(end -> {
            lane.vertx().cancelTimer(timer);
            request.connection().close();
        });
        request.resume();
    }
}
