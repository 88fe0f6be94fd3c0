/**
 * The durable side of asynchronous tasks: what was asked, what came of it, and who executes it now. The ledger decides
 * when a task runs; here is what it is.
 */
@NullMarked
package dev.sluice.postgres.tasks;

import org.jspecify.annotations.NullMarked;
