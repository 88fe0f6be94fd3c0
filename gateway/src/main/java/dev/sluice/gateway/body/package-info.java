/** What can be read from the body of any inference request: its model, whether it streams, and how long its prompt is. */
@NullMarked
package dev.sluice.gateway.body;

import org.jspecify.annotations.NullMarked;
