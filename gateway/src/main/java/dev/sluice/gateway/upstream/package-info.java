/**
 * Where requests are answered: one {@link dev.sluice.gateway.upstream.Upstream} for each kind of provider, over HTTP or
 * simulated in the process. Everything of one call happens on the event loop that opened it.
 */
@NullMarked
package dev.sluice.gateway.upstream;

import org.jspecify.annotations.NullMarked;
