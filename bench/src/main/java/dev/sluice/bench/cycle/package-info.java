/** Cycles of durable admission per second: the port of the seed, bare commits and the engine, on one PostgreSQL server. */
@NullMarked
package dev.sluice.bench.cycle;

import org.jspecify.annotations.NullMarked;
