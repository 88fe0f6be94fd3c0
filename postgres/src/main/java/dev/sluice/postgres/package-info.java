/**
 * The durable engine: the rules stay in {@code Ledger}, PostgreSQL is its fenced, ordered memory.
 *
 * <p>Read in this order: {@link dev.sluice.postgres.PostgresAdmission} (the engine), {@code Writer} (one batch after
 * another), {@code Store} (the calls to the database), {@code Effects} (what a batch writes).
 */
@NullMarked
package dev.sluice.postgres;

import org.jspecify.annotations.NullMarked;
