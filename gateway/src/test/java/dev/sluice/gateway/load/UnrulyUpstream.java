package dev.sluice.gateway.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Several upstreams on one event loop that do with each request what its field {@code conduct} says, and count what
 * runs at any instant in the scopes of the request: its provider, its platform model and the group it names.
 */
final class UnrulyUpstream implements AutoCloseable {
    static final String JSON_ANSWER = "{\"choices\":[{\"message\":{\"content\":\"well\"}}]}";
    static final String EVENT = "data: {\"choices\":[{\"delta\":{\"content\":\"well \"}}]}\n\n";
    static final int EVENTS = 6;
    static final String DONE = "data: [DONE]\n\n";
    static final String NONSENSE = "data {\n:::\ndata: \u0001\nevent\n\n\n";
    private static final String HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    private static final String STREAM_HEAD =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    private static final Buffer BLOCK = Buffer.buffer(chunk("data: " + "y".repeat(60_000) + "\n\n"));
    /** About 3 MB a second: enough to fill what lies between it and a client that does not read. */
    private static final long BLOCK_MILLIS = 20;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HeadCount count = new HeadCount();
    private final Map<String, Integer> ports = new TreeMap<>();

    private UnrulyUpstream() {}

    /** @param providers as {@code platform/provider} */
    static UnrulyUpstream start(List<String> providers) {
        var upstream = new UnrulyUpstream();
        for (String provider : providers) {
            NetServer server = upstream.vertx
                    // Without lingering every close is a reset; after a good answer we close nothing.
                    .createNetServer(new NetServerOptions().setTcpNoDelay(true).setSoLinger(0))
                    .connectHandler(socket -> upstream.new Wire(socket, provider).open())
                    .listen(0, "127.0.0.1")
                    .await();
            upstream.ports.put(provider, server.actualPort());
        }
        return upstream;
    }

    String url(String provider) {
        return "http://127.0.0.1:" + ports.get(provider) + "/v1";
    }

    HeadCount count() {
        return count;
    }

    @Override
    public void close() {
        vertx.close().await();
    }

    /** One connection of the gateway. */
    private final class Wire {
        private final NetSocket socket;
        private final String provider;
        private final Context context = vertx.getOrCreateContext();
        private Buffer in = Buffer.buffer();
        private List<String> running = List.of();
        private int turn;
        private boolean open = true;
        private boolean stream;

        Wire(NetSocket socket, String provider) {
            this.socket = socket;
            this.provider = provider;
        }

        void open() {
            socket.handler(this::received);
            socket.exceptionHandler(reset -> {});
            socket.closeHandler(closed -> {
                open = false;
                over();
            });
        }

        private void received(Buffer bytes) {
            in.appendBuffer(bytes);
            String text = in.toString(ISO_8859_1);
            int end = text.indexOf("\r\n\r\n");
            if (end < 0 || in.length() < end + 4 + contentLength(text)) {
                return;
            }
            JsonNode body = JsonMapper.shared().readTree(in.getBytes(end + 4, in.length()));
            in = Buffer.buffer();
            // A departure that the gateway made before this request reached this machine before it, but the loop may
            // read it after it, in the same round, and tell of it a step later: count after both.
            context.runOnContext(first -> context.runOnContext(second -> begin(body)));
        }

        private static int contentLength(String text) {
            return text.toLowerCase(Locale.ROOT)
                    .lines()
                    .filter(line -> line.startsWith("content-length:"))
                    .mapToInt(line -> Integer.parseInt(
                            line.substring(line.indexOf(':') + 1).strip()))
                    .findFirst()
                    .orElseThrow();
        }

        private void begin(JsonNode body) {
            if (!open) {
                return;
            }
            String platform = provider.substring(0, provider.indexOf('/'));
            Conduct conduct = Conduct.valueOf(body.path("conduct").asString());
            running = List.of(
                    "provider " + provider,
                    "model " + platform + "/" + body.path("model").asString(),
                    "group " + body.path("tenant").asString(),
                    "conduct " + conduct);
            count.started(running);
            stream = body.path("stream").asBoolean();
            later(20, () -> behave(conduct));
        }

        private void over() {
            count.ended(running);
            running = List.of();
            turn++;
        }

        private void later(long millis, Runnable step) {
            int mine = turn;
            vertx.setTimer(millis, fired -> {
                if (open && mine == turn) {
                    step.run();
                }
            });
        }

        private void behave(Conduct conduct) {
            switch (conduct) {
                case ANSWER -> answer(25);
                case SLOW -> answer(150);
                case MALFORMED -> whole(200, NONSENSE);
                case RESET -> reset();
                case RESET_MIDWAY -> {
                    begin();
                    later(60, this::reset);
                }
                case SILENT -> {}
                case SILENT_MIDWAY -> begin();
                case NO_HTTP -> socket.write("SSH-2.0-OpenSSH_9.2\r\n\r\n");
                case ENDLESS_HEADERS -> {
                    socket.write("HTTP/1.1 200 OK\r\n");
                    header(0);
                }
                case FAIL_500 -> whole(500, "{\"error\":{\"message\":\"theirs\"}}");
                case BUSY_503 -> whole(503, "{\"error\":{\"message\":\"theirs\"}}");
                case ENDLESS -> {
                    socket.write(STREAM_HEAD);
                    pour();
                }
            }
        }

        private void answer(long gapMillis) {
            if (stream) {
                socket.write(STREAM_HEAD);
                event(EVENTS, gapMillis);
            } else {
                later(gapMillis * EVENTS, () -> whole(200, JSON_ANSWER));
            }
        }

        private void event(int left, long gapMillis) {
            if (left == 0) {
                // Before the last byte leaves: whoever has read it may send the next request at once.
                over();
                socket.write(chunk(DONE) + "0\r\n\r\n");
            } else {
                socket.write(chunk(EVENT));
                later(gapMillis, () -> event(left - 1, gapMillis));
            }
        }

        private void whole(int status, String body) {
            over();
            if (status == 200 && stream) {
                socket.write(STREAM_HEAD + chunk(body) + "0\r\n\r\n");
            } else {
                socket.write(HEAD.replace("200 OK", status + " Said") + "content-length: " + body.getBytes(UTF_8).length
                        + "\r\n\r\n" + body);
            }
        }

        private void begin() {
            socket.write(stream ? STREAM_HEAD + chunk(EVENT) : HEAD + "content-length: 100\r\n\r\n{\"choices\":[");
        }

        private void header(int number) {
            socket.write("x-" + number + ": y\r\n");
            later(50, () -> header(number + 1));
        }

        private void pour() {
            if (!socket.writeQueueFull()) {
                socket.write(BLOCK);
            }
            later(BLOCK_MILLIS, this::pour);
        }

        private void reset() {
            over();
            open = false;
            socket.close();
        }
    }

    private static String chunk(String data) {
        return Integer.toHexString(data.getBytes(UTF_8).length) + "\r\n" + data + "\r\n";
    }

    /** What a client that reads everything must get of a complete answer. */
    static String complete(Conduct conduct, boolean stream) {
        if (conduct == Conduct.MALFORMED) {
            return NONSENSE;
        }
        return stream ? EVENT.repeat(EVENTS) + DONE : JSON_ANSWER;
    }
}
