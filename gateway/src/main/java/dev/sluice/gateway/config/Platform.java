package dev.sluice.gateway.config;

import java.util.List;

/**
 * Providers run together under one account or cluster.
 *
 * @param id unique; the first half of the scope key {@code platform/served-name}
 * @param providers at least one
 */
public record Platform(String id, List<Provider> providers) {
    public Platform {
        Names.requireLabel("id", id);
        providers = List.copyOf(providers);
    }
}
