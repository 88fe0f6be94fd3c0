package dev.sluice.gateway.config;

/** A text turned into a value, or what is wrong with it. */
sealed interface Parsed<T> {
    record Good<T>(T value) implements Parsed<T> {}

    /** @param complaint continues the sentence that starts with the key: {@code must be …} */
    record Bad<T>(String complaint) implements Parsed<T> {}
}
