/** The little HTTP/1.1 that the fixed-answer upstream and the load driver need; lean, and not a general parser. */
@NullMarked
package dev.sluice.bench.wire;

import org.jspecify.annotations.NullMarked;
