package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A secret is in no text that a configuration gives of itself")
class SecrecyTest {
    private static final String WITH_SECRETS =
            Example.LEAST.replace("capacity: 8", "api-key: hush-provider, capacity: 8") + """
                webhooks: [{id: a, url: "http://a/hush", secret: whsec_hushhushhushhushhushhushhushhush}]
            admin: {token: hush-admin}
            database: {mode: external, url: "jdbc:postgresql://db/x?password=hush-url", password: hush-database}
            """;

    @Test
    void notInItsToString() {
        Configuration read =
                Example.good(Example.readWithNothingPending(WITH_SECRETS).verdict());

        assertThat(read.toString()).contains("on-prem").doesNotContain("hush");
        assertThat(read.database()).hasToString("External[schema=sluice, poolSize=8]");
    }

    @Test
    void butWhoSendsItGetsIt() {
        Configuration read =
                Example.good(Example.readWithNothingPending(WITH_SECRETS).verdict());

        assertThat(read.admin().token().map(Secret::reveal)).contains("hush-admin");
    }

    @Test
    void notInAFault() {
        String broken = Example.LEAST
                        .replace("http://10.0.0.5:8000/v1", "http://u:hush@a?hush")
                        .replace("capacity: 8", "api-key: \"hush\\n\", capacity: 8")
                + """
                    keys: [{name: a, sha256: sk-hush}, {name: b, sha256: hush}]
                    webhooks: [{id: a, url: "http://u:hush@a/", secret: whsec_hush, previous-secret: hush}]
                admin: {token: "hush hush"}
                database: {mode: external, url: "hush", direct-url: "hush", password: "hush hush"}
                """;

        List<String> faults =
                Example.faults(Example.readWithNothingPending(broken).verdict());

        assertThat(faults).hasSize(11).allSatisfy(fault -> assertThat(fault).doesNotContain("hush"));
    }

    @Test
    void anEmptySecretIsNone() {
        Configuration read = Example.good(
                Example.LEAST.replace("capacity: 8", "api-key: \"\", capacity: 8") + "admin: {token: \"\"}\n");

        assertThat(read.admin().token()).isEmpty();
        assertThat(read.platforms().getFirst().providers().getFirst().upstream())
                .isInstanceOfSatisfying(
                        Upstream.OpenAi.class,
                        upstream -> assertThat(upstream.apiKey()).isEmpty());
    }

    @Test
    void secretsAreEqualByTheirText() {
        assertThat(new Secret("a")).isEqualTo(new Secret("a")).isNotEqualTo(new Secret("b"));
        assertThat(new Secret("a")).hasSameHashCodeAs(new Secret("a")).hasToString("***");
    }
}
