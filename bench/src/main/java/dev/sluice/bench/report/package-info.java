/** Medians and spreads, and the files that results are kept in. */
@NullMarked
package dev.sluice.bench.report;

import org.jspecify.annotations.NullMarked;
