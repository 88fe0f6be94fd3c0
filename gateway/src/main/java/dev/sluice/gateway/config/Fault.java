package dev.sluice.gateway.config;

import java.util.Comparator;

/**
 * One thing wrong with a configuration file. Prints as {@code file:line: message}.
 *
 * @param line from 1
 * @param message never holds a secret nor the value of an environment variable
 */
public record Fault(String file, int line, String message) implements Comparable<Fault> {
    private static final Comparator<Fault> ORDER =
            Comparator.comparing(Fault::file).thenComparingInt(Fault::line).thenComparing(Fault::message);

    public Fault {
        if (line < 1) {
            throw new IllegalArgumentException("lines count from 1, not " + line);
        }
    }

    @Override
    public int compareTo(Fault other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return file + ":" + line + ": " + message;
    }
}
