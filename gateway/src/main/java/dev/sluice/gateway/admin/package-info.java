/** The operators' side: what waits, why, and where it runs; metrics. */
@NullMarked
package dev.sluice.gateway.admin;

import org.jspecify.annotations.NullMarked;
