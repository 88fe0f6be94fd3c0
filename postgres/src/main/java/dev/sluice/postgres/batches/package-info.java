/** Batches as they are kept: what was asked, who feeds their lines to the ledger, and what became of each line. */
@NullMarked
package dev.sluice.postgres.batches;

import org.jspecify.annotations.NullMarked;
