/**
 * Asynchronous tasks: taken over from clients who do not wait, shown to them, and executed when the ledger admits them.
 */
@NullMarked
package dev.sluice.gateway.tasks;

import org.jspecify.annotations.NullMarked;
