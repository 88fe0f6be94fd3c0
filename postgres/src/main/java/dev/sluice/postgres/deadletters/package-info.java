/** What failed for good: tasks after their last attempt, and messages to webhooks that were given up. */
@NullMarked
package dev.sluice.postgres.deadletters;

import org.jspecify.annotations.NullMarked;
