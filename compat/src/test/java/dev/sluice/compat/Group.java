package dev.sluice.compat;

import dev.sluice.admission.Scope;
import dev.sluice.gateway.config.ApiKey;
import java.util.Locale;

/** The groups of the gateway under test. */
enum Group {
    OPEN("{}", "[chat, hold, switched-off, broken]"),
    NARROW("{limit: 1, queue: 1, max-wait: 60s}", "[chat, hold, on-anthropic, on-openai]"),
    UNQUEUED("{limit: 1}", "[chat, hold, heavy, on-anthropic, on-openai]"),
    IMPATIENT("{limit: 1, queue: 1, max-wait: 400ms}", "[chat, hold, on-anthropic, on-openai]"),
    EITHER("{}", "[on-anthropic, on-openai]"),
    VISITORS("{}", "[chat]");

    private final String concurrency;
    private final String models;

    Group(String concurrency, String models) {
        this.concurrency = concurrency;
        this.models = models;
    }

    private String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    String key() {
        return "sk-compat-key-of-the-group-" + id() + "-0123456789";
    }

    Scope scope() {
        return Scope.userGroup(id());
    }

    String yaml() {
        return "  - {id: " + id() + ", concurrency: " + concurrency + ", models: " + models
                + ", keys: [{name: test, sha256: \"" + ApiKey.sha256(key()) + "\"}]}\n";
    }
}
