/**
 * Moves the rows of Sluice's schema from one database to another by a file: as a backup, to a new major version of
 * PostgreSQL, or between the embedded server and one of your own.
 *
 * <p>The embedded server brings no {@code pg_dump}, and that of a distribution refuses a newer server; this needs
 * neither. The file is a ZIP of CSV files, one for each table, with an entry {@code about} before and {@code sequences}
 * after them. Tables themselves are not in it: they come from the migrations.
 */
@NullMarked
package dev.sluice.postgres.transfer;

import org.jspecify.annotations.NullMarked;
