package dev.sluice.gateway.upstream;

import dev.sluice.gateway.upstream.UpstreamFailure.Kind;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import org.jspecify.annotations.Nullable;

/** One request over HTTP. */
final class HttpCall implements UpstreamCall {
    private final Outlet outlet;
    private final RequestOptions options;
    private final UpstreamListener listener;
    private @Nullable Buffer body;
    private @Nullable HttpClientRequest request;
    private @Nullable HttpClientResponse response;
    private boolean paused;
    private Outlet.@Nullable Uses uses;
    private int use;
    private boolean over;
    private boolean cancelled;
    private Future<Void> ended = Future.succeededFuture();

    HttpCall(Outlet outlet, RequestOptions options, Buffer body, UpstreamListener listener) {
        this.outlet = outlet;
        this.options = options;
        this.body = body;
        this.listener = listener;
    }

    void start() {
        outlet.client().request(options).onComplete(this::connected, this::notConnected);
    }

    private void notConnected(Throwable cause) {
        fail(Kind.CONNECT, cause);
    }

    private void connected(HttpClientRequest opened) {
        // What goes wrong is told by the response's future; without a handler it would be logged as well.
        opened.exceptionHandler(broken -> {});
        if (over || !listener.mayBegin()) {
            // Cancelled while it connected, or it took too long; nothing was sent.
            opened.reset();
            return;
        }
        request = opened;
        Outlet.Uses carried = outlet.uses(opened.connection());
        uses = carried;
        use = carried.next();
        opened.response().onComplete(this::head, this::noHead);
        opened.end(body);
    }

    private void noHead(Throwable cause) {
        if (over) {
            return;
        }
        if (malformed(cause)) {
            fail(Kind.MALFORMED, cause);
        } else if (use > 1) {
            // The server closed an idle connection just as we used it: once more, on another one.
            request = null;
            start();
        } else {
            fail(Kind.RESET, cause);
        }
    }

    private void head(HttpClientResponse answer) {
        if (over) {
            return;
        }
        response = answer;
        body = null;
        answer.handler(bytes -> {
            if (!over) {
                listener.chunk(bytes);
            }
        });
        answer.endHandler(end -> {
            if (!over) {
                over = true;
                listener.end();
            }
        });
        answer.exceptionHandler(cause -> fail(Kind.CUT, cause));
        if (paused) {
            answer.pause();
        }
        listener.head(answer.statusCode(), answer.headers());
    }

    private void fail(Kind kind, Throwable cause) {
        if (!over) {
            over = true;
            abandon();
            ended.onComplete(closed -> {
                if (!cancelled) {
                    listener.failed(new UpstreamFailure(kind, describe(kind, cause)));
                }
            });
        }
    }

    private static boolean malformed(Throwable cause) {
        return cause instanceof DecoderException
                || cause instanceof TooLongHttpHeaderException
                || cause instanceof TooLongHttpLineException
                || cause instanceof IllegalArgumentException;
    }

    private static String describe(Kind kind, Throwable cause) {
        return switch (kind) {
            case CONNECT -> "no connection: " + cause.getClass().getSimpleName();
            case RESET -> "the connection ended before an answer";
            case MALFORMED -> "not an HTTP answer: " + cause.getClass().getSimpleName();
            case CUT -> "the answer broke off";
        };
    }

    @Override
    public void pause() {
        paused = true;
        if (response != null && !over) {
            response.pause();
        }
    }

    @Override
    public void resume() {
        paused = false;
        if (response != null && !over) {
            response.resume();
        }
    }

    @Override
    public Future<Void> cancel() {
        cancelled = true;
        if (!over) {
            over = true;
            abandon();
        }
        return ended;
    }

    private void abandon() {
        HttpClientRequest opened = request;
        body = null;
        // One request a connection (HTTP/1.1 without pipelining): ending it ends this request alone.
        if (opened != null && uses != null && uses.isLatest(use)) {
            ended = Parting.from(opened.connection());
        }
    }
}
