/** The server: {@link dev.sluice.gateway.Main} starts it, {@code Gateway} wires, starts and drains it. */
@NullMarked
package dev.sluice.gateway;

import org.jspecify.annotations.NullMarked;
