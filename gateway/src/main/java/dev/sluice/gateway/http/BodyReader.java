package dev.sluice.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/** Collects one request body within its own bound and the bound of all bodies together. */
final class BodyReader {
    private static final byte[] EMPTY = new byte[0];

    /** What a further piece led to. */
    enum Step {
        TAKEN,
        TOO_LARGE,
        NO_MEMORY
    }

    private final BodyBudget budget;
    private final long bytesMax;
    private byte[] bytes = EMPTY;
    private int length;
    private long reserved;

    BodyReader(BodyBudget budget, long bytesMax) {
        this.budget = budget;
        this.bytesMax = Math.min(bytesMax, Integer.MAX_VALUE - 64);
    }

    Step add(Buffer piece) {
        long needed = (long) length + piece.length();
        if (needed > bytesMax) {
            return Step.TOO_LARGE;
        }
        if (needed > bytes.length && !grow((int) needed)) {
            return Step.NO_MEMORY;
        }
        piece.getBytes(bytes, length);
        length = (int) needed;
        return Step.TAKEN;
    }

    private boolean grow(int needed) {
        // A body that comes in one piece is copied once and exactly; others double.
        int size = length == 0 ? needed : (int) Math.min(bytesMax, Math.max(needed, bytes.length * 2L));
        if (!budget.take(size - reserved)) {
            return false;
        }
        reserved = size;
        bytes = Arrays.copyOf(bytes, size);
        return true;
    }

    byte[] body() {
        return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
    }

    /** Somebody else has the body now, and what it became takes {@code size} bytes; whether there is that much memory. */
    boolean becomes(long size) {
        bytes = EMPTY;
        length = 0;
        if (size > reserved && !budget.take(size - reserved)) {
            return false;
        }
        if (size < reserved) {
            budget.give(reserved - size);
        }
        reserved = size;
        return true;
    }

    /** Forgets the body and returns its memory; harmless when done before. */
    void release() {
        if (reserved > 0) {
            budget.give(reserved);
            reserved = 0;
        }
        bytes = EMPTY;
        length = 0;
    }
}
