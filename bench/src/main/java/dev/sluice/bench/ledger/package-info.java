/** JMH benchmarks of one decision of the ledger, ours against the port of the in-memory seed. */
@NullMarked
package dev.sluice.bench.ledger;

import org.jspecify.annotations.NullMarked;
