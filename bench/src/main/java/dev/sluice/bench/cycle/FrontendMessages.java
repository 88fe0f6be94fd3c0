package dev.sluice.bench.cycle;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the statements in the client's half of the PostgreSQL protocol: Execute and Query. The first message, the
 * start-up, has no type byte.
 */
final class FrontendMessages {
    private static final int LENGTH_BYTES = 4;

    private final LongAdder statements;
    private boolean typeKnown = true;
    private char type = ' ';
    private int lengthBytes;
    private int length;
    private int skip;

    FrontendMessages(LongAdder statements) {
        this.statements = statements;
    }

    void accept(byte[] bytes, int count) {
        int at = 0;
        while (at < count) {
            if (skip > 0) {
                int skipped = Math.min(skip, count - at);
                skip -= skipped;
                at += skipped;
            } else if (!typeKnown) {
                type = (char) bytes[at++];
                typeKnown = true;
            } else {
                length = (length << 8) | (bytes[at++] & 0xff);
                if (++lengthBytes == LENGTH_BYTES) {
                    message();
                }
            }
        }
    }

    private void message() {
        if (type == 'E' || type == 'Q') {
            statements.increment();
        }
        skip = length - LENGTH_BYTES;
        length = 0;
        lengthBytes = 0;
        typeKnown = false;
    }
}
