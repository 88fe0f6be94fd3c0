package dev.sluice.admission;

/**
 * The provider slot that an admitted task holds. Address, credentials and served name are looked up by the caller in
 * the live configuration, so that a task that waited uses the new ones.
 *
 * @param provider the provider's id
 * @param platformModel the scope of the route entry that was used
 * @param longSlot whether a long-context slot is held too
 */
public record Placement(String provider, Scope platformModel, boolean longSlot) {}
