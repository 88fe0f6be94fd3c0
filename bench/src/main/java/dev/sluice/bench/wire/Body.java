package dev.sluice.bench.wire;

/** Reads a body as it arrives, plain or chunked, and counts the SSE events (empty lines) in its content. */
public final class Body {
    private enum State {
        SIZE,
        DATA,
        DATA_END,
        TRAILER,
        DONE
    }

    private State state = State.DONE;
    private boolean chunked;
    private long remaining;
    private int trailerLine;
    private boolean afterNewline;
    private int events;

    /** Starts over with the body that {@code head} announces. */
    public void begin(Head head) {
        chunked = head.chunked();
        remaining = chunked ? 0 : head.contentLength();
        events = 0;
        afterNewline = false;
        if (chunked) {
            state = State.SIZE;
        } else {
            state = remaining == 0 ? State.DONE : State.DATA;
        }
    }

    /** Takes bytes of the body up to its end; answers the position after the last one taken. */
    public int accept(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && state != State.DONE) {
            switch (state) {
                case DATA -> at = data(bytes, at, to);
                case SIZE -> size(bytes[at++]);
                case DATA_END -> {
                    if (bytes[at++] == '\n') {
                        state = State.SIZE;
                    }
                }
                case TRAILER -> trailer(bytes[at++]);
                case DONE -> throw new AssertionError();
            }
        }
        return at;
    }

    private int data(byte[] bytes, int from, int to) {
        int end = (int) Math.min(to, from + remaining);
        for (int i = from; i < end; i++) {
            boolean newline = bytes[i] == '\n';
            if (newline && afterNewline) {
                events++;
            }
            afterNewline = newline && !afterNewline;
        }
        remaining -= end - from;
        if (remaining == 0) {
            state = chunked ? State.DATA_END : State.DONE;
        }
        return end;
    }

    private void size(byte b) {
        int digit = Character.digit(b, 16);
        if (digit >= 0) {
            remaining = remaining * 16 + digit;
        } else if (b == '\n') {
            trailerLine = 0;
            state = remaining == 0 ? State.TRAILER : State.DATA;
        } else if (b != '\r') {
            throw new IllegalArgumentException("not a chunk size: byte " + b);
        }
    }

    private void trailer(byte b) {
        if (b == '\n') {
            if (trailerLine == 0) {
                state = State.DONE;
            }
            trailerLine = 0;
        } else if (b != '\r') {
            trailerLine++;
        }
    }

    public boolean done() {
        return state == State.DONE;
    }

    /** Events seen since the body began. */
    public int events() {
        return events;
    }
}
