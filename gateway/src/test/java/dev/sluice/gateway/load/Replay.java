package dev.sluice.gateway.load;

import dev.sluice.gateway.RunningGateway;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A lean client on one event loop: sends each row of a trace at its time and keeps of each answer a few numbers. */
final class Replay implements AutoCloseable {
    private static final int CONNECTIONS_MAX = 4_096;
    private static final int TAIL_BYTES = 512;
    private static final Pattern COMPLETION_TOKENS = Pattern.compile("\"completion_tokens\":\\s*(\\d+)");

    /**
     * What became of one row.
     *
     * @param fault empty if the answer was complete and of the length asked for
     * @param queueMillis the gateway's word for how long the request waited
     * @param lateMillis how much later than planned it was sent
     */
    record Result(String fault, long queueMillis, long lateMillis, long totalMillis) {}

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpClient client = vertx.httpClientBuilder()
            .with(new HttpClientOptions().setTcpNoDelay(true))
            .with(new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX))
            .build();
    private final RequestOptions options;
    private final int shrink;

    /** @param shrink every count of tokens is divided by it, and rounded up */
    Replay(int port, int shrink) {
        this.shrink = shrink;
        this.options = new RequestOptions()
                .setHost("127.0.0.1")
                .setPort(port)
                .setURI("/v1/chat/completions")
                .setMethod(HttpMethod.POST)
                .putHeader("authorization", "Bearer " + RunningGateway.KEY)
                .putHeader("content-type", "application/json");
    }

    List<Result> play(List<TraceRow> rows, int speed) throws TimeoutException {
        long begin = System.nanoTime();
        List<Future<Result>> results = new ArrayList<>();
        for (TraceRow row : rows) {
            long due = row.arrival().toNanos() / speed;
            long left = TimeUnit.NANOSECONDS.toMillis(due - (System.nanoTime() - begin));
            results.add(vertx.timer(Math.max(1, left), TimeUnit.MILLISECONDS).compose(fired -> send(row, begin + due)));
        }
        Future.join(results).otherwiseEmpty().await(5, TimeUnit.MINUTES);
        return results.stream()
                .map(result ->
                        result.succeeded() ? result.result() : new Result(String.valueOf(result.cause()), 0, 0, 0))
                .toList();
    }

    private Future<Result> send(TraceRow row, long due) {
        long sent = System.nanoTime();
        int tokens = scaled(row.generatedTokens());
        Buffer body = Buffer.buffer("{\"model\":\"chat\",\"stream\":true,\"stream_options\":{\"include_usage\":true},"
                + "\"ignore_eos\":true,\"max_tokens\":" + tokens
                // The simulated model takes four characters for a token.
                + ",\"messages\":[{\"role\":\"user\",\"content\":\""
                + "abc ".repeat(scaled(row.contextTokens())) + "\"}]}");
        return client.request(options)
                .compose(request -> request.send(body))
                .compose(answer -> read(answer, tokens, TimeUnit.NANOSECONDS.toMillis(sent - due), sent));
    }

    private static Future<Result> read(HttpClientResponse answer, int tokens, long late, long sent) {
        Buffer[] tail = {Buffer.buffer()};
        answer.handler(bytes -> {
            Buffer all = Buffer.buffer().appendBuffer(tail[0]).appendBuffer(bytes);
            tail[0] = all.getBuffer(Math.max(0, all.length() - TAIL_BYTES), all.length());
        });
        String waited = answer.getHeader("x-sluice-queue-ms");
        return answer.end()
                .map(end -> new Result(
                        fault(answer.statusCode(), tail[0].toString(StandardCharsets.UTF_8), tokens),
                        waited == null ? -1 : Long.parseLong(waited),
                        late,
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sent)));
    }

    private static String fault(int status, String tail, int tokens) {
        if (status != 200) {
            return status + " " + tail;
        }
        Matcher usage = COMPLETION_TOKENS.matcher(tail);
        boolean whole = tail.endsWith("data: [DONE]\n\n") && usage.find() && Integer.parseInt(usage.group(1)) == tokens;
        return whole ? "" : "not the answer asked for: " + tail;
    }

    private int scaled(int tokens) {
        return Math.max(1, (tokens + shrink - 1) / shrink);
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
