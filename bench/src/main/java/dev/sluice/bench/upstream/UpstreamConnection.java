package dev.sluice.bench.upstream;

import dev.sluice.bench.wire.Body;
import dev.sluice.bench.wire.Head;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/** One connection of a gateway: one request at a time. */
final class UpstreamConnection {
    private final Upstream upstream;
    private final SocketChannel channel;
    private final Body body = new Body();
    private byte[] bytes = new byte[8192];
    private int count;
    private int headLength;
    private boolean streaming;
    private int eventsLeft;
    long nextEventAt;

    UpstreamConnection(Upstream upstream, SocketChannel channel) {
        this.upstream = upstream;
        this.channel = channel;
    }

    void readable() {
        try {
            if (count == bytes.length) {
                bytes = Arrays.copyOf(bytes, count * 2);
            }
            int read = channel.read(ByteBuffer.wrap(bytes, count, bytes.length - count));
            if (read < 0) {
                cut();
                return;
            }
            count += read;
            parse(count - read);
        } catch (IOException reset) {
            cut();
        }
    }

    private void parse(int from) throws IOException {
        if (headLength == 0) {
            Head head = Head.parse(bytes, count).orElse(null);
            if (head == null) {
                return;
            }
            if (head.firstLine().startsWith("GET /bench/stats")) {
                count = 0;
                send(Answers.json(upstream.stats()));
                return;
            }
            headLength = head.length();
            body.begin(head);
            from = headLength;
        }
        body.accept(bytes, from, count);
        if (body.done()) {
            int bodyFrom = headLength;
            int bodyTo = count;
            headLength = 0;
            count = 0;
            answer(bodyFrom, bodyTo);
        }
    }

    private void answer(int from, int to) throws IOException {
        upstream.counted();
        if (!Upstream.contains(bytes, from, to, "\"stream\":true")) {
            send(Answers.unaryAnswer());
            return;
        }
        eventsLeft = maxTokens(from, to);
        streaming = true;
        send(Answers.streamHead());
        boolean silent = eventsLeft == 0;
        upstream.streamStarted(this, silent);
        if (silent) {
            send(Answers.event());
        }
    }

    private int maxTokens(int from, int to) {
        int at = Upstream.indexOf(bytes, from, to, "\"max_tokens\":");
        int value = 0;
        for (int i = at + 13; at >= 0 && i < to && Character.isDigit(bytes[i]); i++) {
            value = value * 10 + bytes[i] - '0';
        }
        return value;
    }

    /** Sends one event; false when the stream has ended. */
    boolean sendEvent() {
        if (!streaming) {
            return false;
        }
        try {
            if (eventsLeft-- > 0) {
                send(Answers.event());
                return true;
            }
            streaming = false;
            upstream.streamEnded();
            send(Answers.streamEnd());
        } catch (IOException reset) {
            cut();
        }
        return false;
    }

    private void send(ByteBuffer answer) throws IOException {
        channel.write(answer);
        if (answer.hasRemaining()) {
            throw new IOException("the gateway reads too slowly for this benchmark");
        }
    }

    private void cut() {
        if (streaming) {
            streaming = false;
            upstream.streamCut();
        }
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
