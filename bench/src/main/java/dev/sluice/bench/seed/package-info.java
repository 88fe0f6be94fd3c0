/**
 * The baseline of the ledger's benchmarks: the in-memory model queue that Sluice replaces, ported function by
 * function from its Go source, faults included. Nothing outside of the benchmarks may use it.
 */
@NullMarked
package dev.sluice.bench.seed;

import org.jspecify.annotations.NullMarked;
