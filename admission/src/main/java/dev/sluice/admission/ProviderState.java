package dev.sluice.admission;

/** What an operator decided about a provider, over its configured {@code enabled}. */
public enum ProviderState {
    /** The configuration decides. */
    ENABLED,
    /** Never gets work. */
    DISABLED,
    /** Gets no new work; what runs on it ends normally. */
    DRAINING
}
