/** What the gateway counts and times, under the names that docs/api.md lists. Never a task, key or prompt in a label. */
@NullMarked
package dev.sluice.gateway.telemetry;

import org.jspecify.annotations.NullMarked;
