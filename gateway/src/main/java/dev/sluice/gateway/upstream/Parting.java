package dev.sluice.gateway.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Makes each close of a connection to an upstream one that the upstream has noticed. HTTP/1.1 has no word for "stop",
 * and a close of our side alone says nothing: the next request, on another connection, may be read before it, and the
 * upstream runs one more than its capacity. So we send our end of the stream, which servers take for a client that left,
 * and wait for theirs. An upstream that does not answer, or goes on sending, is reset.
 */
final class Parting extends ChannelDuplexHandler {
    /** What was on its way when we said so is at most the buffers of both sides. */
    private static final int IGNORED_BYTES_MAX = 8 << 20;

    private final Duration noticeMax;
    private boolean parting;
    private int ignored;

    private Parting(Duration noticeMax) {
        this.noticeMax = noticeMax;
    }

    /** @param noticeMax the longest wait for the upstream's end */
    static void prepare(HttpConnection connection, Duration noticeMax) {
        if (connection instanceof ConnectionBase base) {
            base.channelHandlerContext().pipeline().addFirst(new Parting(noticeMax));
        }
    }

    /**
     * Closes at once, dropping what was not sent; harmless when closed.
     *
     * @return completed when the upstream has ended the connection too, or was reset
     */
    static Future<Void> from(HttpConnection connection) {
        if (!(connection instanceof ConnectionBase base)) {
            return connection.close();
        }
        var pipeline = base.channelHandlerContext().pipeline();
        Promise<Void> parted = Promise.promise();
        pipeline.channel().closeFuture().addListener(closed -> parted.complete());
        var toNetwork = pipeline.context(Parting.class);
        if (toNetwork != null && toNetwork.handler() instanceof Parting parting) {
            // Not through the codecs, which would first wait until everything is sent.
            parting.close(toNetwork, toNetwork.newPromise());
        } else {
            var _ = pipeline.close();
        }
        return parted.future();
    }

    @Override
    public void close(ChannelHandlerContext toNetwork, ChannelPromise promise) {
        var channel = toNetwork.channel();
        channel.closeFuture().addListener(closed -> promise.trySuccess());
        if (parting) {
            return;
        }
        parting = true;
        if (channel.isActive() && channel instanceof DuplexChannel duplex) {
            // An answer that was held back had stopped the reading, and with it the sight of the upstream's end.
            channel.config().setAutoRead(true);
            var _ = duplex.shutdownOutput();
            var late =
                    toNetwork.executor().schedule(() -> reset(toNetwork), noticeMax.toMillis(), TimeUnit.MILLISECONDS);
            channel.closeFuture().addListener(closed -> late.cancel(false));
        } else {
            var _ = toNetwork.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext toNetwork, Object bytes) {
        if (!parting) {
            var _ = toNetwork.fireChannelRead(bytes);
            return;
        }
        ignored += bytes instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
        ReferenceCountUtil.release(bytes);
        if (ignored > IGNORED_BYTES_MAX) {
            reset(toNetwork);
        }
    }

    private static void reset(ChannelHandlerContext toNetwork) {
        if (toNetwork.channel().isOpen()) {
            toNetwork.channel().config().setOption(ChannelOption.SO_LINGER, 0);
            var _ = toNetwork.close();
        }
    }
}
