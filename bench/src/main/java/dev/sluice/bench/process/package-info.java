/** What processes of this machine use, from /proc. */
@NullMarked
package dev.sluice.bench.process;

import org.jspecify.annotations.NullMarked;
