package dev.sluice.gateway.translation;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Reads server-sent events piece by piece; lines may end in LF, CR or both, as the standard has it. */
final class SseReader {
    private static final int EVENT_BYTES_MAX = 16 << 20;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    /** Who hears what was read. */
    interface Events {
        void event(String data) throws BrokenAnswer;

        void comment() throws BrokenAnswer;
    }

    private final Events events;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private boolean any;
    private boolean afterReturn;
    private boolean first = true;

    SseReader(Events events) {
        this.events = events;
    }

    void feed(Buffer bytes) throws BrokenAnswer {
        for (int i = 0; i < bytes.length(); i++) {
            byte b = bytes.getByte(i);
            if (b == '\n' && afterReturn) {
                afterReturn = false;
            } else if (b == '\n' || b == '\r') {
                afterReturn = b == '\r';
                line();
            } else {
                afterReturn = false;
                line.write(b);
                if (line.size() + data.length() > EVENT_BYTES_MAX) {
                    throw new BrokenAnswer("an event of its stream is too large");
                }
            }
        }
    }

    private void line() throws BrokenAnswer {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (first) {
            first = false;
            text = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
        }
        if (text.isEmpty()) {
            if (any) {
                String whole = data.toString();
                data.setLength(0);
                any = false;
                events.event(whole);
            }
        } else if (text.charAt(0) == ':') {
            events.comment();
        } else if (text.startsWith("data:")) {
            String value = text.substring(text.startsWith("data: ") ? 6 : 5);
            data.append(any ? "\n" : "").append(value);
            any = true;
        }
        // The name of an event stands in its data as well; ids and retry times are not used by either API.
    }
}
