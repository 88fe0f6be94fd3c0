/** What the gateway counts and times, under the names of the contract. Never a task, key or prompt in a label. */
@NullMarked
package dev.sluice.gateway.telemetry;

import org.jspecify.annotations.NullMarked;
