package dev.sluice.bench.batch;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One batch on a server, watched to its end. */
final class BatchRun {
    /** Between two looks at the slots. */
    private static final long LOOK_MILLIS = 50;

    /** The batch itself is looked at with every so many looks. */
    private static final int LOOKS_A_COUNT = 10;

    private final Server server;
    private final int slots;
    private final int lines;
    private final int killAt;
    private String id = "";
    private int samples;
    private int full;
    private long inFlight;
    private int least = Integer.MAX_VALUE;
    private int longestIdle;
    private int idle;
    private long firstAt;
    private int firstEnded;
    private long lastAt;
    private int lastEnded;

    /** @param killAt how many lines have ended when the gateway is killed and started again; 0 for never */
    BatchRun(Server server, int slots, int lines, int killAt) {
        this.server = server;
        this.slots = slots;
        this.lines = lines;
        this.killAt = killAt;
    }

    /**
     * What was seen.
     *
     * @param samples looks at the slots while the batch had lines that did not run yet
     * @param fullShare of the looks that found every slot in use
     * @param meanInFlight slots in use
     * @param longestIdle looks one after the other that found a free slot
     * @param linesPerSecond that ended while there were looks
     * @param results distinct lines among the results
     * @param doubled lines with more than one result
     * @param failed lines whose result is an error
     */
    record Seen(
            double seconds,
            int samples,
            double fullShare,
            double meanInFlight,
            int least,
            int longestIdle,
            double linesPerSecond,
            int results,
            int doubled,
            int failed) {}

    void begin() throws IOException, InterruptedException {
        String content = IntStream.range(0, lines)
                .mapToObj(i -> "{\"custom_id\":\"r" + i
                        + "\",\"method\":\"POST\",\"url\":\"/v1/chat/completions\",\"body\":{\"model\":\"m\",\"max_tokens\":4,"
                        + "\"messages\":[{\"role\":\"user\",\"content\":\"line " + i + "\"}]}}\n")
                .collect(Collectors.joining());
        String body = "--b0\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--b0\r\n"
                + "content-disposition: form-data; name=\"file\"; filename=\"lines.jsonl\"\r\n\r\n" + content
                + "\r\n--b0--\r\n";
        JsonNode file =
                server.json("POST", "/v1/files", BodyPublishers.ofString(body), "multipart/form-data; boundary=b0");
        String order = "{\"input_file_id\":\"" + file.path("id").asString()
                + "\",\"endpoint\":\"/v1/chat/completions\",\"completion_window\":\"24h\"}";
        id = server.json("POST", "/v1/batches", BodyPublishers.ofString(order), "application/json")
                .path("id")
                .asString();
    }

    private JsonNode look() throws IOException, InterruptedException {
        return server.json("GET", "/v1/batches/" + id, BodyPublishers.noBody(), "");
    }

    Seen follow() throws IOException, InterruptedException {
        long start = System.nanoTime();
        boolean killed = killAt == 0;
        JsonNode batch = look();
        for (int turn = 0; batch.path("completed_at").isNull(); turn++) {
            JsonNode counts = batch.path("request_counts");
            int ended = counts.path("completed").asInt() + counts.path("failed").asInt();
            // Counts are up to a second and a half old; that many lines may have ended since.
            int left = lines - ended - slots;
            boolean hasLines = batch.path("status").asString().equals("in_progress")
                    && ended > 0
                    && left > server.lineRate(slots) * 1.5;
            if (hasLines) {
                sample();
                note(ended);
            }
            if (!killed && ended >= killAt) {
                killed = true;
                server.killAndStart();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
            batch = turn % LOOKS_A_COUNT == 0 ? look() : batch;
            if (!batch.path("failed_at").isNull()) {
                throw new IllegalStateException("the batch failed: " + batch);
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        List<String> done = ids(batch.path("output_file_id"));
        List<String> failed = ids(batch.path("error_file_id"));
        Set<String> distinct = new HashSet<>(done);
        distinct.addAll(failed);
        return new Seen(
                seconds,
                samples,
                (double) full / Math.max(1, samples),
                (double) inFlight / Math.max(1, samples),
                samples == 0 ? 0 : least,
                longestIdle,
                (lastEnded - firstEnded) * 1e9 / Math.max(1, lastAt - firstAt),
                distinct.size(),
                done.size() + failed.size() - distinct.size(),
                failed.size());
    }

    private List<String> ids(JsonNode file) throws IOException, InterruptedException {
        if (!file.isString()) {
            return List.of();
        }
        return server.send("GET", "/v1/files/" + file.asString() + "/content", BodyPublishers.noBody(), "")
                .body()
                .lines()
                .map(line ->
                        JsonMapper.shared().readTree(line).path("custom_id").asString())
                .toList();
    }

    private void note(int ended) {
        if (ended != lastEnded) {
            lastAt = System.nanoTime();
            lastEnded = ended;
            firstEnded = firstAt == 0 ? ended : firstEnded;
            firstAt = firstAt == 0 ? lastAt : firstAt;
        }
    }

    private void sample() throws IOException, InterruptedException {
        int now = server.inFlight();
        samples++;
        inFlight += now;
        full += now >= slots ? 1 : 0;
        least = Math.min(least, now);
        idle = now >= slots ? 0 : idle + 1;
        longestIdle = Math.max(longestIdle, idle);
    }
}
