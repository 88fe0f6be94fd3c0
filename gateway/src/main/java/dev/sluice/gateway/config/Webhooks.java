package dev.sluice.gateway.config;

/**
 * How webhooks are delivered.
 *
 * @param allowPrivate whether a webhook may lead to an address that is not on the public internet
 */
public record Webhooks(boolean allowPrivate) {
    public static final Webhooks DEFAULT = new Webhooks(false);
}
