package dev.sluice.gateway.config;

/** Is told of a new configuration after it is in force, one at a time and in order. */
@FunctionalInterface
public interface ReloadListener {
    void swapped(Configuration before, Configuration after);
}
