package dev.sluice.gateway.config;

import java.util.List;
import java.util.Optional;

/**
 * A tenant.
 *
 * @param id unique; the key of the scope {@code user_group}
 * @param concurrency limits over all models
 * @param rate requests and tokens per minute; absent: not limited
 * @param priority of requests that ask for none; a lower number runs sooner
 * @param bestPriority the lowest number that a request may ask for, at most {@code priority}
 * @param weight share among groups, at least 1
 * @param models ids of the models its keys may use; empty = all
 * @param keys its keys, by hash
 * @param filesQuotaBytes the most that its files may have together; empty: the general bound
 * @param webhooks where it may hear of the ends of its tasks
 */
public record Group(
        String id,
        Concurrency concurrency,
        Optional<Rate> rate,
        int priority,
        int bestPriority,
        int weight,
        List<String> models,
        List<Key> keys,
        Optional<Long> filesQuotaBytes,
        List<Webhook> webhooks) {
    static final int DEFAULT_PRIORITY = 100;
    static final int DEFAULT_WEIGHT = 1;
    static final Range<Integer> PRIORITY = Range.of(0, 1_000_000);
    static final Range<Integer> WEIGHT = Range.of(1, 1_000);

    public Group {
        Names.requireLabel("id", id);
        PRIORITY.require("priority", priority);
        Range.of(0, priority).require("best-priority", bestPriority);
        WEIGHT.require("weight", weight);
        filesQuotaBytes.ifPresent(quota -> Files.QUOTA.require("files-quota", quota));
        models = List.copyOf(models);
        keys = List.copyOf(keys);
        webhooks = List.copyOf(webhooks);
    }

    /** The webhook with this id. */
    public Optional<Webhook> webhook(String webhook) {
        return webhooks.stream().filter(one -> one.id().equals(webhook)).findFirst();
    }

    /** Whether its keys may use the model with this id. */
    public boolean mayUse(String model) {
        return models.isEmpty() || models.contains(model);
    }
}
