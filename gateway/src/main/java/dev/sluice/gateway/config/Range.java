package dev.sluice.gateway.config;

/**
 * The values a number or duration may take, both ends included. One constant serves the reader, which turns a miss
 * into a fault of the file, and the record's constructor, for which a miss is a bug of the caller.
 */
record Range<T extends Comparable<T>>(T min, T max) {

    Range {
        if (min.compareTo(max) > 0) {
            throw new IllegalArgumentException("min " + min + " is above max " + max);
        }
    }

    static <T extends Comparable<T>> Range<T> of(T min, T max) {
        return new Range<>(min, max);
    }

    boolean contains(T value) {
        return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    }

    void require(String name, T value) {
        if (!contains(value)) {
            throw new IllegalArgumentException(name + " must be between " + min + " and " + max + ", but is " + value);
        }
    }
}
