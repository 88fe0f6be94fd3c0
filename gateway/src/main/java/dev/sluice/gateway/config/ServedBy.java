package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * One platform model that serves a model.
 *
 * @param platform id of the platform
 * @param model name that the platform's providers know
 * @param concurrency limits of the platform model; models that share it share these
 * @param spillAfter how long a request waits before a later entry may take it, 0 to 24 h
 */
public record ServedBy(String platform, String model, Concurrency concurrency, Duration spillAfter) {
    static final Range<Duration> SPILL_AFTER = Range.of(Duration.ZERO, Duration.ofHours(24));

    public ServedBy {
        Names.requireLabel("platform", platform);
        Names.requireLabel("model", model);
        SPILL_AFTER.require("spill-after", spillAfter);
    }

    /** The key of the scope {@code platform_model}: {@code platform/served-name}. */
    public String scopeKey() {
        return platform + "/" + model;
    }
}
