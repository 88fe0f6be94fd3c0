/** Runs gateways side by side before the same upstream: HAProxy, nginx and Sluice, each as its own processes. */
@NullMarked
package dev.sluice.bench.peer;

import org.jspecify.annotations.NullMarked;
