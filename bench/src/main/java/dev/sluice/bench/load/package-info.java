/** The load driver: one thread that keeps a fixed number of connections busy. */
@NullMarked
package dev.sluice.bench.load;

import org.jspecify.annotations.NullMarked;
