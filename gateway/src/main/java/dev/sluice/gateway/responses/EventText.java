package dev.sluice.gateway.responses;

import java.util.Arrays;

/** Events in a row, as they are sent. */
final class EventText {
    private EventText() {}

    /** Those behind the first {@code skipped}. Each ends with an empty line, and has none within. */
    static byte[] from(byte[] events, int skipped) {
        int at = 0;
        for (int left = skipped; left > 0 && at < events.length; at++) {
            if (events[at] == '\n' && at > 0 && events[at - 1] == '\n') {
                left--;
            }
        }
        return at == 0 ? events : Arrays.copyOfRange(events, at, events.length);
    }
}
