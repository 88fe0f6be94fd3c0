/** The durable side of the Responses API: answers that are kept, and the events of those made in the background. */
@NullMarked
package dev.sluice.postgres.responses;

import org.jspecify.annotations.NullMarked;
