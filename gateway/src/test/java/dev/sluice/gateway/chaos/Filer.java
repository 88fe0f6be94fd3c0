package dev.sluice.gateway.chaos;

import dev.sluice.gateway.RawClient;
import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Leaves tasks of a group without a limit, in bursts that fill every slot of their model, at one gateway after another,
 * and remembers those that were accepted: nothing that happens to gateways or database may lose one of them.
 */
final class Filer implements Runnable {
    private static final int BURST = 30;
    private static final int TASK_MILLIS = 1_500;
    private static final long PAUSE_NANOS = Duration.ofSeconds(4).toNanos();

    private final List<GatewayProcess> gateways;
    private final SplittableRandom random;
    private final BooleanSupplier goesOn;
    private final Map<String, String> statuses = new LinkedHashMap<>();

    Filer(List<GatewayProcess> gateways, long seed, BooleanSupplier goesOn) {
        this.gateways = gateways;
        this.random = new SplittableRandom(seed);
        this.goesOn = goesOn;
    }

    @Override
    public void run() {
        while (goesOn.getAsBoolean()) {
            for (int i = 0; i < BURST; i++) {
                file(gateways.get(random.nextInt(gateways.size())));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Only what was answered was promised: a gateway that dies, or has no database, owes nothing. */
    private void file(GatewayProcess gateway) {
        String body = "{\"model\":\"sixteen\",\"ms\":%d,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"
                .formatted(TASK_MILLIS);
        try {
            Answer answer = RawClient.exchange(
                    gateway.port(), RawClient.chat(RunningGateway.OTHER_KEY, body, "prefer: respond-async\r\n"));
            if (answer.status() == 202) {
                statuses.put(
                        JsonMapper.shared().readTree(answer.body()).path("id").asString(), "accepted");
            }
        } catch (IOException refused) {
            LockSupport.parkNanos(PAUSE_NANOS / BURST);
        }
    }

    int accepted() {
        return statuses.size();
    }

    /** Those that have not succeeded, with what a gateway says of them; asked again for each that had not. */
    Map<String, String> unfinished() throws IOException {
        for (Map.Entry<String, String> task : statuses.entrySet()) {
            if (!task.getValue().startsWith("succeeded")) {
                GatewayProcess gateway = gateways.get(random.nextInt(gateways.size()));
                Answer answer = RawClient.exchange(
                        gateway.port(),
                        "GET /v1/tasks/" + task.getKey() + " HTTP/1.1\r\nhost: g\r\nauthorization: Bearer "
                                + RunningGateway.OTHER_KEY + "\r\n\r\n");
                task.setValue(said(answer));
            }
        }
        Map<String, String> unfinished = new LinkedHashMap<>(statuses);
        unfinished.values().removeIf(status -> status.startsWith("succeeded"));
        return unfinished;
    }

    private static String said(Answer answer) {
        if (answer.status() != 200) {
            return answer.status() + " " + answer.body();
        }
        JsonNode task = JsonMapper.shared().readTree(answer.body());
        boolean whole = task.path("response").toString().contains(CountingUpstream.DONE);
        return task.path("status").asString() + (whole ? "" : ", " + answer.body());
    }
}
