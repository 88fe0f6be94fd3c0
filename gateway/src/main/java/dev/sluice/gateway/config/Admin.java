package dev.sluice.gateway.config;

import java.util.Optional;

/**
 * The admin plane.
 *
 * @param listen address of admin API, dashboard and metrics
 * @param token bearer token; without it the plane is for reading only, from loopback
 */
public record Admin(ListenAddress listen, Optional<Secret> token) {
    static final ListenAddress LISTEN = new ListenAddress("127.0.0.1", 9090);
}
