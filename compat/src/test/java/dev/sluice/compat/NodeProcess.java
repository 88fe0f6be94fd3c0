package dev.sluice.compat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One Node.js for all tests of a class: a line of JSON in for each order, a line of JSON out for each answer. */
final class NodeProcess implements BeforeAllCallback, AfterAllCallback {
    private static final Path SOURCE = Path.of("src/test/node");
    static final Path FOLDER = Path.of("target/node");
    private static final Path ERRORS = FOLDER.resolve("errors.txt");
    private static final String LOCK = "package-lock.json";

    private final String script;
    private final AtomicLong orders = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
    private Process process;

    /** @param script that carries out the orders */
    NodeProcess(String script) {
        this.script = script;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
        Path node = Tool.NODE.find();
        install();
        process = new ProcessBuilder(node.toString(), script)
                .directory(FOLDER.toFile())
                .redirectError(ERRORS.toFile())
                .start();
        Thread.ofVirtual().start(this::read);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (process != null) {
            process.destroy();
        }
    }

    /** The packages of the lock file, again only when it changed. */
    static void install() throws IOException, InterruptedException {
        Path npm = Tool.NPM.find();
        Files.createDirectories(FOLDER);
        for (String name :
                List.of("openai.mjs", "responses.mjs", "anthropic.mjs", "vercel.mjs", "package.json", LOCK, ".npmrc")) {
            Files.copy(SOURCE.resolve(name), FOLDER.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        Path installed = FOLDER.resolve("installed-lock.json");
        if (Files.exists(installed) && Files.mismatch(installed, SOURCE.resolve(LOCK)) < 0) {
            return;
        }
        Path log = FOLDER.resolve("npm.txt");
        Process process = new ProcessBuilder(npm.toString(), "ci", "--ignore-scripts", "--prefer-offline")
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(240, SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("npm ci did not end within 240 s: " + Files.readString(log));
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("npm ci failed: " + Files.readString(log));
        }
        Files.copy(SOURCE.resolve(LOCK), installed, StandardCopyOption.REPLACE_EXISTING);
    }

    static ObjectNode order(String what, String baseUrl, Ask ask) {
        ObjectNode order = JsonMapper.shared().createObjectNode();
        order.set("headers", JsonMapper.shared().valueToTree(ask.headers()));
        return order.put("what", what)
                .put("baseURL", baseUrl)
                .put("apiKey", ask.key())
                .put("maxRetries", ask.retries())
                .put("model", ask.model())
                .put("prompt", ask.prompt())
                .put("tokensMax", Ask.TOKENS_MAX)
                .put("patience", ask.patience().toMillis());
    }

    /** An answer, or the exception that the client threw. */
    Result result(ObjectNode order) {
        JsonNode answer = ask(order);
        JsonNode error = answer.path("error");
        return error.isObject()
                ? new Failed(
                        error.path("kind").asString(),
                        error.path("status").asInt(0),
                        error.path("code").asString(""),
                        error.path("type").asString(""),
                        error.path("param").asString(""))
                : new Answered(
                        answer.path("text").asString(),
                        answer.path("pieces").asInt(),
                        answer.path("finish").asString());
    }

    static ToolTalk toolTalk(JsonNode answer) {
        return new ToolTalk(
                answer.path("tool").asString(""),
                answer.path("input").path(ToolTalk.FIELD).asString(""),
                answer.path("text").asString(answer.toString()));
    }

    JsonNode ask(ObjectNode order) {
        long number = orders.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        open.put(number, answer);
        byte[] line = (order.put("number", number) + "\n").getBytes(UTF_8);
        try {
            synchronized (process) {
                process.getOutputStream().write(line);
                process.getOutputStream().flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Node.js is gone: " + errors(), e);
        }
        return answer.orTimeout(40, SECONDS).join();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode answer = JsonMapper.shared().readTree(line);
                open.remove(answer.path("number").asLong()).complete(answer);
            }
            open.values()
                    .forEach(answer -> answer.completeExceptionally(new AssertionError("Node.js ended: " + errors())));
        } catch (IOException | RuntimeException e) {
            open.values().forEach(answer -> answer.completeExceptionally(e));
        }
    }

    private static String errors() {
        try {
            return Files.readString(ERRORS);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
