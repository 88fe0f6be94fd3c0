/**
 * The baseline of the durable engine's benchmarks: the PostgreSQL admission queue that Sluice replaces, ported statement
 * by statement from its Go source, faults included. Nothing outside of the benchmarks may use it.
 */
@NullMarked
package dev.sluice.bench.seedpg;

import org.jspecify.annotations.NullMarked;
