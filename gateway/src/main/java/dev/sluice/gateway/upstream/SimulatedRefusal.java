package dev.sluice.gateway.upstream;

import org.jspecify.annotations.Nullable;

/** Why the simulated server refuses a request with 400; a value, thrown to keep the reading flat. */
final class SimulatedRefusal extends Exception {
    private static final long serialVersionUID = 1;
    final String param;

    SimulatedRefusal(String param, String message) {
        this(param, message, null);
    }

    SimulatedRefusal(String param, String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
        this.param = param;
    }
}
