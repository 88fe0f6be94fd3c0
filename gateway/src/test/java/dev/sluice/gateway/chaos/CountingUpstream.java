package dev.sluice.gateway.chaos;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * All providers on one event loop. A path {@code /GATEWAY/PROVIDER/v1/…} says who asks whom; the field {@code ms} of the
 * body how long the work takes.
 */
final class CountingUpstream implements AutoCloseable {
    static final String DONE = "the work is done";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HeadCounts counts;
    private final HttpServer server;

    private CountingUpstream(HeadCounts counts) {
        this.counts = counts;
        this.server = vertx.createHttpServer()
                .requestHandler(request -> request.bodyHandler(body -> received(request, body)))
                .listen(0, "127.0.0.1")
                .await();
    }

    static CountingUpstream start(HeadCounts counts) {
        return new CountingUpstream(counts);
    }

    String url(String gateway, String provider) {
        return "http://127.0.0.1:" + server.actualPort() + "/" + gateway + "/" + provider + "/v1";
    }

    private void received(HttpServerRequest request, Buffer body) {
        JsonNode json = JsonMapper.shared().readTree(body.getBytes());
        String[] path = request.path().split("/");
        HeadCounts.Call call = new HeadCounts.Call(
                path[1],
                List.of("provider " + path[2], "model " + json.path("model").asString()));
        boolean[] gone = new boolean[1];
        request.response().closeHandler(closed -> {
            gone[0] = true;
            counts.ended(call);
        });
        Context context = vertx.getOrCreateContext();
        // Departures that reached this machine before this request may still lie unread in the same round of the loop.
        context.runOnContext(first -> context.runOnContext(second -> {
            if (!gone[0]) {
                counts.started(call);
                answer(
                        call,
                        request.response(),
                        json.path("stream").asBoolean(),
                        json.path("ms").asInt());
            }
        }));
    }

    private void answer(HeadCounts.Call call, HttpServerResponse response, boolean stream, int millis) {
        if (stream) {
            response.setChunked(true)
                    .putHeader("content-type", "text/event-stream")
                    .write("data: begun\n\n");
        }
        vertx.setTimer(Math.max(1, millis), due -> {
            if (response.closed()) {
                return;
            }
            // Before the last byte leaves: whoever has read it may send the next request at once.
            counts.ended(call);
            if (stream) {
                response.end("data: " + DONE + "\n\ndata: [DONE]\n\n");
            } else {
                response.putHeader("content-type", "application/json").end("{\"content\":\"" + DONE + "\"}");
            }
        });
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
