/**
 * A PostgreSQL server that comes with the gateway and lives in its data folder.
 *
 * <p>{@link dev.sluice.postgres.embedded.EmbeddedPostgres} is the entry. What stands in the folder:
 *
 * <pre>
 * lock       held by the running gateway for its whole life
 * owner      its process id, for the message that a second gateway gets
 * secret     password of the superuser "sluice_admin", mode 0600
 * bin-SHA/   the unpacked programs, named by their archive
 * cluster/   the PostgreSQL data directory; owned by the database's user
 * log/       the server's log, one file for each day of the week
 * </pre>
 */
@NullMarked
package dev.sluice.postgres.embedded;

import org.jspecify.annotations.NullMarked;
