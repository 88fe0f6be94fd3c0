/**
 * The data plane: one request from its first byte to its last. Start at {@link dev.sluice.gateway.http.DataPlane} for
 * the server and at {@link dev.sluice.gateway.http.Exchange} for the life of a request.
 */
@NullMarked
package dev.sluice.gateway.http;

import org.jspecify.annotations.NullMarked;
