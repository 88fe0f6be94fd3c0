package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Reserve;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Every key of the configuration, its default and its place in the documentation")
class ConfigurationKeysTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`|]+)` \\| ([^|]+) \\|");

    @Test
    void whatIsNotSaidHasItsDefault() {
        Configuration read = Example.good(Example.LEAST);

        Concurrency unlimited = new Concurrency(0, 0, Duration.ofSeconds(600), Duration.ofMinutes(2));
        assertThat(read)
                .isEqualTo(new Configuration(
                        new ListenAddress("127.0.0.1", 8080),
                        new Admin(new ListenAddress("127.0.0.1", 9090), Optional.empty()),
                        new Database.Embedded(Path.of("data"), Optional.empty(), 8),
                        List.of(new Platform(
                                "on-prem",
                                List.of(new Provider(
                                        "gpu-a",
                                        "gpu-a",
                                        new Upstream.OpenAi(URI.create("http://10.0.0.5:8000/v1"), Optional.empty()),
                                        8,
                                        0,
                                        0,
                                        true,
                                        Reserve.NONE)))),
                        List.of(new Model(
                                "chat",
                                0,
                                1_000,
                                Optional.empty(),
                                List.of(new ServedBy("on-prem", "llama", unlimited, Duration.ZERO)))),
                        List.of(new Group(
                                "research",
                                unlimited,
                                Optional.empty(),
                                100,
                                100,
                                1,
                                List.of(),
                                List.of(),
                                Optional.empty(),
                                List.of())),
                        new Workers(16, 5, Duration.ofHours(24), 16 << 20, 1_000),
                        new Dispatch(256, Duration.ofSeconds(30)),
                        new Queueing(
                                Queueing.Ordering.WORK_CONSERVING, 64, Duration.ofHours(24), Duration.ofSeconds(10)),
                        new Http(
                                16 << 20,
                                512 << 20,
                                16 << 10,
                                Duration.ofSeconds(10),
                                Duration.ofMinutes(10),
                                Duration.ofSeconds(30)),
                        new dev.sluice.gateway.config.Files(200 << 20, 10L << 30, Duration.ofHours(720)),
                        new Batches(50_000, Optional.empty(), 2_000),
                        new Webhooks(false)));
    }

    @Test
    void aSectionThatSaysNothingMoreHasTheSameDefaults() {
        String empty = Example.LEAST.replace("model: llama", "model: llama, concurrency: {}") + """
                    concurrency: {}
                admin: {}
                database: {}
                dispatch: {}
                queueing: {}
                http: {}
                files: {}
                batches: {}
                webhooks: {}
                """;

        assertThat(Example.good(empty)).isEqualTo(Example.good(Example.LEAST));
    }

    @Test
    void aSimulatedProviderHasItsDefaults() {
        Configuration read = Example.good(
                Example.LEAST.replace("base-url: \"http://10.0.0.5:8000/v1\"", "type: simulated, simulated: {}"));

        assertThat(read.platforms().getFirst().providers().getFirst().upstream())
                .isEqualTo(new Upstream.Simulated(Duration.ofMillis(200), 50, 0.1, 0, 1, 0, OptionalInt.empty()));
    }

    @Test
    void aBaseUrlOfTheAnthropicApiMayLackItsVersion() {
        String least = Example.LEAST.replace("capacity: 8", "type: anthropic, api-key: k, capacity: 8");

        assertThat(upstream(least))
                .isEqualTo(new Upstream.Anthropic(URI.create("http://10.0.0.5:8000/v1"), Optional.of(new Secret("k"))));
        assertThat(upstream(least.replace(":8000/v1", ":8000")))
                .isEqualTo(new Upstream.Anthropic(URI.create("http://10.0.0.5:8000/v1"), Optional.of(new Secret("k"))));
        assertThat(upstream(least.replace(":8000/v1", ":8000/other/")))
                .isEqualTo(
                        new Upstream.Anthropic(URI.create("http://10.0.0.5:8000/other"), Optional.of(new Secret("k"))));
    }

    private static Upstream upstream(String yaml) {
        return Example.good(yaml).platforms().getFirst().providers().getFirst().upstream();
    }

    @Test
    void aReserveKeepsNothingThatItDoesNotName() {
        assertThat(reserve("{}")).isEqualTo(Reserve.NONE);
        assertThat(reserve("{interactive: 2}")).isEqualTo(new Reserve(2, 0));
        assertThat(reserve("{background: 7}")).isEqualTo(new Reserve(0, 7));
        assertThat(reserve("{interactive: 3, background: 5}")).isEqualTo(new Reserve(3, 5));
    }

    private static Reserve reserve(String reserve) {
        Configuration read = Example.good(Example.LEAST.replace("capacity: 8", "capacity: 8, reserve: " + reserve));
        return read.platforms().getFirst().providers().getFirst().reserve();
    }

    @Test
    void everythingSaidIsRead() {
        Configuration read = Example.good(Example.FULL);

        assertThat(read.admin().token()).contains(new Secret("the-admin-token"));
        Provider gpuA = read.platforms().getFirst().providers().getFirst();
        assertThat(gpuA.upstream())
                .isEqualTo(new Upstream.OpenAi(URI.create("http://10.0.0.5:8000/v1"), Optional.of(new Secret("none"))));
        assertThat(gpuA.node()).isEqualTo("node-a");
        assertThat(gpuA.longContextCapacity()).isEqualTo(2);
        assertThat(read.platforms().get(1).providers().getFirst().upstream())
                .isEqualTo(new Upstream.Simulated(Duration.ofMillis(200), 50, 0.1, 0, 1, 7, OptionalInt.of(6)));
        Model chat = read.models().getFirst();
        assertThat(chat.longContextTokens()).isEqualTo(16_000);
        assertThat(chat.amountThousandths()).isEqualTo(1_500);
        assertThat(chat.dispatch()).contains(new Dispatch(8, Duration.ofSeconds(5)));
        assertThat(chat.servedBy().getFirst().scopeKey()).isEqualTo("on-prem/meta-llama/Llama-3.3-70B-Instruct");
        assertThat(chat.servedBy().getFirst().concurrency())
                .isEqualTo(new Concurrency(16, 100, Duration.ofSeconds(60), Duration.ofMinutes(2)));
        assertThat(chat.servedBy().getFirst().spillAfter()).isEqualTo(Duration.ofSeconds(5));
        Group research = read.groups().getFirst();
        assertThat(research.bestPriority()).isEqualTo(50);
        assertThat(research.keys()).containsExactly(new Key("ci", Example.HASH));
        assertThat(research.mayUse("chat-large")).isTrue();
        assertThat(research.mayUse("chat-small")).isFalse();
        assertThat(read.groups().get(1).mayUse("chat-small")).isTrue();
    }

    @Test
    @DisplayName("Once nothing is pending every key is read")
    void nothingPending() {
        Configuration external =
                Example.good(Example.readWithNothingPending(EXTERNAL).verdict());
        assertThat(external.database())
                .isEqualTo(new Database.External(
                        "jdbc:postgresql://db/sluice",
                        Optional.of("jdbc:postgresql://db-direct/sluice"),
                        "gateway",
                        Optional.of("sluice"),
                        Optional.of(new Secret("hidden")),
                        20));
        assertThat(external.workers()).isEqualTo(new Workers(4, 2, Duration.ofHours(1), 1 << 20, 7));
        assertThat(external.files())
                .isEqualTo(new dev.sluice.gateway.config.Files(5 << 20, 7 << 20, Duration.ofDays(2)));
        assertThat(external.batches()).isEqualTo(new Batches(9, Optional.of(3), 11));
        assertThat(external.groups().getFirst().filesQuotaBytes()).contains(3L << 20);
        assertThat(external.webhooks()).isEqualTo(new Webhooks(true));
        assertThat(external.groups().getFirst().webhooks())
                .containsExactly(new Webhook(
                        "done",
                        URI.create("https://example.org/hook?x=1"),
                        new Secret(Example.WEBHOOK_SECRET),
                        Optional.of(new Secret(Example.FORMER_WEBHOOK_SECRET))));
        assertThat(external.groups().getFirst().rate()).contains(new Rate(600, 200_000));
        assertThat(external.groups().getFirst().weight()).isEqualTo(3);
    }

    @Test
    void theKeysAndTheirDefaultsAreExactlyThese() {
        assertThat(known())
                .containsExactlyEntriesOf(new TreeMap<>(Map.ofEntries(
                        Map.entry("listen", "127.0.0.1:8080"),
                        Map.entry("admin", "reading only"),
                        Map.entry("admin.listen", "127.0.0.1:9090"),
                        Map.entry("admin.token", "none"),
                        Map.entry("database", "mode `embedded`"),
                        Map.entry("database.mode", "embedded"),
                        Map.entry("database.dir", "./data"),
                        Map.entry("database.url", "required"),
                        Map.entry("database.direct-url", "url"),
                        Map.entry("database.schema", "sluice"),
                        Map.entry("database.user", "none"),
                        Map.entry("database.password", "none"),
                        Map.entry("database.pool-size", "8"),
                        Map.entry("platforms", "required"),
                        Map.entry("platforms[].id", "required"),
                        Map.entry("platforms[].providers", "required"),
                        Map.entry("platforms[].providers[].id", "required"),
                        Map.entry("platforms[].providers[].node", "the id"),
                        Map.entry("platforms[].providers[].type", "openai"),
                        Map.entry("platforms[].providers[].base-url", "required"),
                        Map.entry("platforms[].providers[].api-key", "none"),
                        Map.entry("platforms[].providers[].capacity", "required"),
                        Map.entry("platforms[].providers[].long-context-capacity", "0"),
                        Map.entry("platforms[].providers[].priority", "0"),
                        Map.entry("platforms[].providers[].enabled", "true"),
                        Map.entry("platforms[].providers[].reserve", "none"),
                        Map.entry("platforms[].providers[].reserve.interactive", "0"),
                        Map.entry("platforms[].providers[].reserve.background", "0"),
                        Map.entry("platforms[].providers[].simulated", "all defaults"),
                        Map.entry("platforms[].providers[].simulated.time-to-first-token", "200ms"),
                        Map.entry("platforms[].providers[].simulated.tokens-per-second", "50"),
                        Map.entry("platforms[].providers[].simulated.jitter", "0.1"),
                        Map.entry("platforms[].providers[].simulated.failure-rate", "0"),
                        Map.entry("platforms[].providers[].simulated.tokens-per-chunk", "1"),
                        Map.entry("platforms[].providers[].simulated.seed", "0"),
                        Map.entry("platforms[].providers[].simulated.capacity", "unlimited"),
                        Map.entry("models", "required"),
                        Map.entry("models[].id", "required"),
                        Map.entry("models[].long-context-tokens", "0"),
                        Map.entry("models[].amount", "1"),
                        Map.entry("models[].dispatch", "the general one"),
                        Map.entry("models[].dispatch.max-queue", "256"),
                        Map.entry("models[].dispatch.queue-timeout", "30s"),
                        Map.entry("models[].served-by", "required"),
                        Map.entry("models[].served-by[].platform", "required"),
                        Map.entry("models[].served-by[].model", "required"),
                        Map.entry("models[].served-by[].concurrency", "unlimited"),
                        Map.entry("models[].served-by[].concurrency.limit", "0"),
                        Map.entry("models[].served-by[].concurrency.queue", "0"),
                        Map.entry("models[].served-by[].concurrency.max-wait", "10m"),
                        Map.entry("models[].served-by[].concurrency.lease-ttl", "2m"),
                        Map.entry("models[].served-by[].spill-after", "0s"),
                        Map.entry("groups", "required"),
                        Map.entry("groups[].id", "required"),
                        Map.entry("groups[].concurrency", "unlimited"),
                        Map.entry("groups[].concurrency.limit", "0"),
                        Map.entry("groups[].concurrency.queue", "0"),
                        Map.entry("groups[].concurrency.max-wait", "10m"),
                        Map.entry("groups[].rate", "unlimited"),
                        Map.entry("groups[].rate.requests-per-minute", "0"),
                        Map.entry("groups[].rate.tokens-per-minute", "0"),
                        Map.entry("groups[].priority", "100"),
                        Map.entry("groups[].best-priority", "the priority"),
                        Map.entry("groups[].weight", "1"),
                        Map.entry("groups[].models", "all"),
                        Map.entry("groups[].files-quota", "the general one"),
                        Map.entry("groups[].webhooks", "none"),
                        Map.entry("groups[].webhooks[].id", "required"),
                        Map.entry("groups[].webhooks[].url", "required"),
                        Map.entry("groups[].webhooks[].secret", "required"),
                        Map.entry("groups[].webhooks[].previous-secret", "none"),
                        Map.entry("webhooks", "all defaults"),
                        Map.entry("webhooks.allow-private", "false"),
                        Map.entry("groups[].keys", "none"),
                        Map.entry("groups[].keys[].name", "required"),
                        Map.entry("groups[].keys[].sha256", "required"),
                        Map.entry("workers", "all defaults"),
                        Map.entry("workers.slots", "16"),
                        Map.entry("workers.attempts", "5"),
                        Map.entry("workers.retention", "24h"),
                        Map.entry("workers.max-response", "16MiB"),
                        Map.entry("workers.priority-offset", "1000"),
                        Map.entry("files", "all defaults"),
                        Map.entry("files.max-size", "200MiB"),
                        Map.entry("files.quota", "10GiB"),
                        Map.entry("files.retention", "720h"),
                        Map.entry("batches", "all defaults"),
                        Map.entry("batches.max-lines", "50000"),
                        Map.entry("batches.waiting", "twice workers.slots"),
                        Map.entry("batches.priority-offset", "2000"),
                        Map.entry("dispatch", "all defaults"),
                        Map.entry("dispatch.max-queue", "256"),
                        Map.entry("dispatch.queue-timeout", "30s"),
                        Map.entry("queueing", "all defaults"),
                        Map.entry("queueing.ordering", "work-conserving"),
                        Map.entry("queueing.max-overtakes", "64"),
                        Map.entry("queueing.async-max-wait", "24h"),
                        Map.entry("queueing.first-byte-grace", "10s"),
                        Map.entry("http", "all defaults"),
                        Map.entry("http.max-body", "16MiB"),
                        Map.entry("http.max-buffered", "512MiB"),
                        Map.entry("http.max-header-size", "16KiB"),
                        Map.entry("http.connect-timeout", "10s"),
                        Map.entry("http.idle-timeout", "10m"),
                        Map.entry("http.drain", "30s"))));
    }

    @Test
    void theDocumentationListsExactlyTheseKeysAndDefaults() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "configuration.md"));
        SortedMap<String, String> documented = new TreeMap<>();
        for (MatchResult row : ROW.matcher(page).results().toList()) {
            documented.put(row.group(1), row.group(2).replace("`", "").strip());
        }
        SortedMap<String, String> expected = new TreeMap<>(known());
        expected.replaceAll((key, byDefault) -> byDefault.replace("`", ""));

        assertThat(documented).containsExactlyEntriesOf(expected);
    }

    @Test
    void theExampleOfTheDocumentationIsGood() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "configuration.md"));
        String example = page.split("```yaml\n", -1)[1].split("```", -1)[0];

        assertThat(Example.good(example).models().getFirst().servedBy()).hasSize(2);
    }

    private static final String EXTERNAL =
            Example.LEAST.replace("capacity: 8", "capacity: 8, reserve: {interactive: 1}") + """
                rate: {requests-per-minute: 600, tokens-per-minute: 200000}
                weight: 3
                files-quota: 3MiB
                webhooks:
                  - id: done
                    url: https://example.org/hook?x=1
                    secret: whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=
                    previous-secret: whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4
            webhooks: {allow-private: true}
            workers: {slots: 4, attempts: 2, retention: 1h, max-response: 1MiB, priority-offset: 7}
            files: {max-size: 5MiB, quota: 7MiB, retention: 48h}
            batches: {max-lines: 9, waiting: 3, priority-offset: 11}
            database:
              mode: external
              url: jdbc:postgresql://db/sluice
              direct-url: jdbc:postgresql://db-direct/sluice
              schema: gateway
              user: sluice
              password: hidden
              pool-size: 20
            """;

    /** What the reader looked for in files that between them hold every section. */
    private static SortedMap<String, String> known() {
        SortedMap<String, String> known = new TreeMap<>();
        for (String yaml : List.of(Example.FULL, EXTERNAL, Example.LEAST + "database: {mode: embedded}\n")) {
            known.putAll(Example.readAsNow(yaml).known());
        }
        return known;
    }
}
