package dev.sluice.admission;

import org.jspecify.annotations.Nullable;

/** A task's place in one {@link Line}, ordered by a first and a second number. It must not change while it stands. */
abstract class Link implements Comparable<Link> {
    long first;
    long second;

    /** The line it stands in; null for none. The fields below belong to that line. */
    @Nullable
    Line line;

    @Nullable
    Link previous;

    @Nullable
    Link next;

    boolean isStray;

    abstract Node node();

    /** The one order of everything that stands in line: the lower first number, then the lower second one. */
    static boolean isBefore(long first, long second, long otherFirst, long otherSecond) {
        return first != otherFirst ? first < otherFirst : second < otherSecond;
    }

    boolean isBefore(Link other) {
        return isBefore(first, second, other.first, other.second);
    }

    @Override
    public int compareTo(Link other) {
        if (isBefore(other)) {
            return -1;
        }
        return other.isBefore(this) ? 1 : 0;
    }
}
