package dev.sluice.gateway.config;

import java.util.Comparator;

/**
 * One thing wrong with a configuration file. Prints as {@code file:line: message}.
 *
 * @param line from 1
 * @param message never holds a secret nor the value of an environment variable
 */
public record FileFault(String file, int line, String message) implements Comparable<FileFault> {
    private static final Comparator<FileFault> ORDER = Comparator.comparing(FileFault::file)
            .thenComparingInt(FileFault::line)
            .thenComparing(FileFault::message);

    public FileFault {
        if (line < 1) {
            throw new IllegalArgumentException("lines count from 1, not " + line);
        }
    }

    @Override
    public int compareTo(FileFault other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return file + ":" + line + ": " + message;
    }
}
