package dev.sluice.gateway.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps requests that a client sent ahead until their turn. Vert.x would stop reading while they wait, and then not see
 * that the client left: its upstream would go on and its slot stay taken. What waits here is bounded; a client that sends
 * more ahead is cut. What is broken becomes an answer where Vert.x would just close, and an answer whose end only the
 * end of the connection can show is followed by it.
 */
final class Pipelining extends ChannelDuplexHandler {
    static final int AHEAD_BYTES_MAX = 256 << 10;
    /** Stands for what an object takes besides its content. */
    private static final int OBJECT_BYTES = 512;

    private final BooleanSupplier brokenBody;
    private final BooleanSupplier draining;
    private final Queue<Object> ahead = new ArrayDeque<>();
    private int aheadBytes;
    private boolean reading;
    private boolean answering;
    private boolean last;
    private boolean broken;
    /** The request is of HTTP/1.0, which knows no chunks. */
    private boolean old;

    private boolean closes;
    /** Of the last answer of the connection. */
    private @Nullable ChannelPromise farewell;

    private Pipelining(BooleanSupplier brokenBody, BooleanSupplier draining) {
        this.brokenBody = brokenBody;
        this.draining = draining;
    }

    /**
     * @param brokenBody called when the body being read is not valid; whether it sees to the answer
     * @param draining whether each answer is the last one of its connection
     */
    static void on(HttpConnection connection, BooleanSupplier brokenBody, BooleanSupplier draining) {
        if (connection instanceof ConnectionBase base) {
            var vertx = base.channelHandlerContext();
            vertx.pipeline().addBefore(vertx.name(), null, new Pipelining(brokenBody, draining));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext toVertx, Object message) {
        boolean next = !reading && (answering || last || !ahead.isEmpty());
        if (broken || (next && last)) {
            ReferenceCountUtil.release(message);
        } else if (next) {
            keep(toVertx, message);
        } else {
            pass(toVertx, message);
        }
    }

    private void keep(ChannelHandlerContext toVertx, Object message) {
        ahead.add(message);
        aheadBytes += bytes(message);
        if (aheadBytes > AHEAD_BYTES_MAX) {
            broken = true;
            forget();
            var _ = toVertx.close();
        }
    }

    private static int bytes(Object message) {
        return OBJECT_BYTES
                + (message instanceof HttpContent content ? content.content().readableBytes() : 0);
    }

    private void pass(ChannelHandlerContext toVertx, Object message) {
        if (message instanceof HttpRequest head) {
            reading = true;
            answering = true;
            old = head.protocolVersion().equals(HttpVersion.HTTP_1_0);
            checkVersion(head);
            nameClose(head.headers());
        } else if (message instanceof HttpObject part
                && part.decoderResult().isFailure()
                && brokenBody.getAsBoolean()) {
            broken = true;
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof LastHttpContent) {
            reading = false;
        }
        var _ = toVertx.fireChannelRead(message);
        if (!reading && farewell != null) {
            closeAfter(toVertx, farewell);
        }
    }

    /** Vert.x closes the connection of a version that it does not speak. */
    private static void checkVersion(HttpRequest head) {
        HttpVersion version = head.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            head.setProtocolVersion(HttpVersion.HTTP_1_1);
            head.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("HTTP version")));
        }
    }

    /** Vert.x sees the wish only where it is the whole value, not in a list: RFC 9110, section 7.6.1. */
    private static void nameClose(HttpHeaders headers) {
        if (headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)
                && !headers.contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)) {
            headers.add(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
    }

    @Override
    public void write(ChannelHandlerContext toVertx, Object message, ChannelPromise written) {
        boolean interim = false;
        if (message instanceof HttpResponse head) {
            interim = head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            if (!interim && (draining.getAsBoolean() || isEndless(head))) {
                closes = true;
                head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            last |= head.headers().contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
        }
        boolean ends = message instanceof LastHttpContent && !interim;
        ChannelPromise told = ends ? written.unvoid() : written;
        if (ends && closes) {
            farewell = told;
            // A body that still comes would make a reset of the end, which could destroy the answer.
            if (!reading) {
                closeAfter(toVertx, told);
            }
        }
        var _ = toVertx.write(message, told);
        if (ends) {
            answering = false;
            if (!ahead.isEmpty()) {
                // Not from within its write: Vert.x must first know that this answer is complete.
                toVertx.executor().execute(() -> proceed(toVertx));
            }
        }
    }

    private static void closeAfter(ChannelHandlerContext toVertx, ChannelPromise written) {
        var _ = written.addListener(done -> {
            var _ = toVertx.close();
        });
    }

    /** Whether nothing in the head says where the answer ends: RFC 9112, section 6.3. */
    private boolean isEndless(HttpResponse head) {
        return old && !head.headers().contains(HttpHeaderNames.CONTENT_LENGTH);
    }

    /** Passes the next request on, as far as it has come. */
    private void proceed(ChannelHandlerContext toVertx) {
        if (last) {
            forget();
        }
        boolean passed = false;
        while (!ahead.isEmpty() && (reading || !answering)) {
            Object message = ahead.remove();
            aheadBytes -= bytes(message);
            passed = true;
            pass(toVertx, message);
        }
        if (passed) {
            var _ = toVertx.fireChannelReadComplete();
        }
    }

    private void forget() {
        ahead.forEach(ReferenceCountUtil::release);
        ahead.clear();
        aheadBytes = 0;
    }

    @Override
    public void channelInactive(ChannelHandlerContext toVertx) {
        forget();
        var _ = toVertx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext toVertx) {
        forget();
    }
}
