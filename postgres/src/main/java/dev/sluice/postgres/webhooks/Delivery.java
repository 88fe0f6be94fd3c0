package dev.sluice.postgres.webhooks;

import java.util.UUID;

/**
 * A message that this process is to deliver now.
 *
 * @param id the same in each attempt
 * @param owner the group whose webhook it is for
 * @param webhook its id in the configuration
 * @param attempt from 1; fences what is said of it later
 * @param payload JSON, the same in each attempt
 */
public record Delivery(UUID id, String owner, String webhook, int attempt, String payload) {}
