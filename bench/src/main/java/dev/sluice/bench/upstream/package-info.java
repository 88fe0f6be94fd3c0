/** A server with fixed answers, in a process of its own, that stands behind every gateway that is measured. */
@NullMarked
package dev.sluice.bench.upstream;

import org.jspecify.annotations.NullMarked;
