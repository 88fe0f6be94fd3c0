/** Messages to webhooks that are not delivered yet. The database writes each with the end of what it tells of. */
@NullMarked
package dev.sluice.postgres.webhooks;

import org.jspecify.annotations.NullMarked;
