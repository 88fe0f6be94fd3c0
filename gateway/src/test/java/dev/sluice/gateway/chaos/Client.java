package dev.sluice.gateway.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.gateway.RunningGateway;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks one gateway after another until it is told to stop, and judges what it got. */
final class Client implements Runnable {
    private static final Pattern CODE = Pattern.compile("\"code\":\"(\\w+)\"");
    private static final Duration ANSWER_MAX = Duration.ofSeconds(120);
    private static final List<String> MODELS = List.of("one", "four", "four", "sixteen", "sixteen", "sixteen");

    private final List<GatewayProcess> gateways;
    private final SplittableRandom random;
    private final BooleanSupplier goesOn;
    private final Map<String, AtomicInteger> outcomes;
    private final Map<String, AtomicInteger> faults = new ConcurrentHashMap<>();

    /** @param outcomes counts what all clients got */
    Client(List<GatewayProcess> gateways, long seed, BooleanSupplier goesOn, Map<String, AtomicInteger> outcomes) {
        this.gateways = gateways;
        this.random = new SplittableRandom(seed);
        this.goesOn = goesOn;
        this.outcomes = outcomes;
    }

    /** What it got that nobody should get. */
    Map<String, AtomicInteger> faults() {
        return faults;
    }

    @Override
    public void run() {
        try (HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(30))
                .build()) {
            while (goesOn.getAsBoolean()) {
                GatewayProcess gateway = gateways.get(random.nextInt(gateways.size()));
                int deaths = gateway.deaths();
                boolean wasDown = gateway.isDown();
                String outcome = ask(http, gateway);
                boolean excused = wasDown || gateway.deaths() != deaths || gateway.isDown();
                String counted = excused && outcome.startsWith("!") ? "its gateway was killed" : outcome;
                count(outcomes, counted);
                if (counted.startsWith("!")) {
                    count(faults, counted + " of " + gateway.name);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void count(Map<String, AtomicInteger> counts, String what) {
        counts.computeIfAbsent(what, any -> new AtomicInteger()).incrementAndGet();
    }

    /** What came of it; with an exclamation mark if it should not have. */
    private String ask(HttpClient http, GatewayProcess gateway) throws InterruptedException {
        boolean stream = random.nextBoolean();
        int millis = random.nextInt(40) == 0 ? 3_000 + random.nextInt(4_000) : 5 + random.nextInt(120);
        String body = "{\"model\":\"%s\",\"stream\":%s,\"ms\":%d,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"
                .formatted(MODELS.get(random.nextInt(MODELS.size())), stream, millis);
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.port() + "/v1/chat/completions"))
                .timeout(ANSWER_MAX)
                .header("authorization", "Bearer " + RunningGateway.KEY)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<InputStream> answer = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            String end = "complete";
            try (InputStream in = answer.body()) {
                in.transferTo(read);
            } catch (IOException cut) {
                end = "cut";
            }
            return judged(answer.statusCode(), read.toString(UTF_8), end);
        } catch (HttpTimeoutException e) {
            return "! no answer in time";
        } catch (ConnectException e) {
            return "! no connection";
        } catch (IOException e) {
            return "! the connection broke: " + e.getMessage();
        }
    }

    private static String judged(int status, String body, String end) {
        if (status == 200 && end.equals("complete") && body.contains(CountingUpstream.DONE)) {
            return "200";
        }
        Matcher code = CODE.matcher(body);
        return code.find() ? status + " " + code.group(1) : "! " + end + " " + status + " without a word: " + body;
    }
}
