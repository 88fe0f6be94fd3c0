package dev.sluice.gateway.config;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Configurations that several tests read. */
final class Example {
    static final String HASH = "0123456789abcdef".repeat(4);

    static final String WEBHOOK_SECRET = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    static final String FORMER_WEBHOOK_SECRET = "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4";

    /** What must be said; all else is default. */
    static final String LEAST = """
            platforms:
              - id: on-prem
                providers:
                  - {id: gpu-a, base-url: "http://10.0.0.5:8000/v1", capacity: 8}
            models:
              - id: chat
                served-by:
                  - {platform: on-prem, model: llama}
            groups:
              - id: research
            """;

    /** Says most that this version does. */
    static final String FULL = """
            listen: 127.0.0.1:8080
            admin:
              listen: 127.0.0.1:9090
              token: ${ENV:TOKEN}
            database:
              mode: memory
            platforms:
              - id: on-prem
                providers:
                  - id: gpu-a
                    node: node-a
                    type: openai
                    base-url: http://10.0.0.5:8000/v1
                    api-key: ${ENV:KEY:-none}
                    capacity: 8
                    long-context-capacity: 2
                    priority: 0
                    enabled: true
                  - {id: gpu-b, node: node-b, base-url: "http://10.0.0.6:8000/v1", capacity: 8}
              - id: play
                providers:
                  - id: sim
                    type: simulated
                    capacity: 4
                    simulated:
                      time-to-first-token: 200ms
                      tokens-per-second: 50
                      jitter: 0.1
                      failure-rate: 0
                      tokens-per-chunk: 1
                      seed: 7
                      capacity: 6
            models:
              - id: chat-large
                long-context-tokens: 16000
                amount: 1.5
                dispatch: {max-queue: 8, queue-timeout: 5s}
                served-by:
                  - platform: on-prem
                    model: meta-llama/Llama-3.3-70B-Instruct
                    concurrency: {limit: 16, queue: 100, max-wait: 60s, lease-ttl: 2m}
                    spill-after: 5s
                  - {platform: play, model: sim-large, concurrency: {limit: 64}}
              - id: chat-small
                served-by:
                  - {platform: play, model: sim-small}
            groups:
              - id: research
                concurrency: {limit: 10, queue: 50, max-wait: 30s}
                priority: 100
                best-priority: 50
                models: [chat-large]
                keys:
                  - name: ci
                    sha256: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
              - id: guests
            dispatch: {max-queue: 256, queue-timeout: 30s}
            queueing:
              ordering: work-conserving
              max-overtakes: 64
              async-max-wait: 24h
              first-byte-grace: 10s
            http:
              max-body: 16MiB
              max-buffered: 512MiB
              max-header-size: 16KiB
              connect-timeout: 10s
              idle-timeout: 10m
              drain: 30s
            """;

    static final Environment ENVIRONMENT = Environment.of(Map.of("TOKEN", "the-admin-token"));

    private Example() {}

    static Verdict read(String yaml) {
        return ConfigurationFile.parse("sluice.yaml", yaml, ENVIRONMENT);
    }

    static Configuration good(String yaml) {
        return good(read(yaml));
    }

    static Configuration good(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Loaded(Configuration configuration) -> configuration;
            case Verdict.Faulty(List<FileFault> faults) ->
                throw new AssertionError("expected no fault but got " + faults);
        };
    }

    static List<String> faults(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Loaded loaded -> throw new AssertionError("expected a fault");
            case Verdict.Faulty(List<FileFault> faults) ->
                faults.stream().map(FileFault::toString).toList();
        };
    }

    /** Reads as a version would that does everything. */
    static ConfigurationFile.Parse readWithNothingPending(String yaml) {
        return new ConfigurationFile("sluice.yaml", ENVIRONMENT, Set.of()).parse(yaml.getBytes(StandardCharsets.UTF_8));
    }

    static ConfigurationFile.Parse readAsNow(String yaml) {
        return new ConfigurationFile("sluice.yaml", ENVIRONMENT, Pending.NOW)
                .parse(yaml.getBytes(StandardCharsets.UTF_8));
    }
}
