/** Batches: many requests in one file, worked off with the capacity that other work leaves. */
@NullMarked
package dev.sluice.gateway.batches;

import org.jspecify.annotations.NullMarked;
