/**
 * Messages that tell a group's own servers of the ends of its tasks. They go to configured places only, are signed as
 * Standard Webhooks says, and reach no address inside the network unless the operator allows it.
 */
@NullMarked
package dev.sluice.gateway.webhooks;

import org.jspecify.annotations.NullMarked;
