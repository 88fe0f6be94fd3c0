/** The durable engine: PostgreSQL as the ledger's ordered, fenced memory. */
@NullMarked
package dev.sluice.postgres;

import org.jspecify.annotations.NullMarked;
