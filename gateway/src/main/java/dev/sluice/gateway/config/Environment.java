package dev.sluice.gateway.config;

import java.util.Map;
import java.util.Optional;

/** Where {@code ${ENV:NAME}} in a configuration file looks. */
@FunctionalInterface
public interface Environment {
    Optional<String> variable(String name);

    static Environment ofProcess() {
        return name -> Optional.ofNullable(System.getenv(name));
    }

    static Environment of(Map<String, String> variables) {
        Map<String, String> copy = Map.copyOf(variables);
        return name -> Optional.ofNullable(copy.get(name));
    }
}
