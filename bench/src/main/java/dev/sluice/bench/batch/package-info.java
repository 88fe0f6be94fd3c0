/** A batch beside the requests of clients who wait. */
@NullMarked
package dev.sluice.bench.batch;

import org.jspecify.annotations.NullMarked;
