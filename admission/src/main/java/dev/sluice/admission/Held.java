package dev.sluice.admission;

import java.util.UUID;

/** The identity of an admission: what a holder renews and releases by. */
public record Held(UUID task, long epoch) {}
