package dev.sluice.gateway.responses;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads server-sent events from bytes that come in pieces; lines end in LF or CR LF. */
final class EventReader {
    private static final byte[] NAME = "event:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DATA = "data:".getBytes(StandardCharsets.US_ASCII);

    /** Hears each event when it is complete. */
    interface Events {
        /** @param name empty if the event has none */
        void event(String name, byte[] data);
    }

    private final long bytesMax;
    private final Events events;
    private byte[] line = new byte[512];
    private int lineLength;
    private byte[] data = new byte[0];
    private String name = "";
    private boolean any;
    private boolean overlong;

    /** @param bytesMax longer events are passed over */
    EventReader(long bytesMax, Events events) {
        this.bytesMax = bytesMax;
        this.events = events;
    }

    /** Whether an event was passed over. */
    boolean isOverlong() {
        return overlong;
    }

    void feed(Buffer buffer) {
        byte[] bytes = buffer.getBytes();
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                add(bytes, from, i);
                line();
                from = i + 1;
            }
        }
        add(bytes, from, bytes.length);
    }

    private void add(byte[] bytes, int from, int to) {
        if ((long) lineLength + data.length + to - from > bytesMax) {
            overlong = true;
            return;
        }
        if (lineLength + to - from > line.length) {
            line = Arrays.copyOf(line, Math.max(line.length * 2, lineLength + to - from));
        }
        System.arraycopy(bytes, from, line, lineLength, to - from);
        lineLength += to - from;
    }

    private void line() {
        int length = lineLength > 0 && line[lineLength - 1] == '\r' ? lineLength - 1 : lineLength;
        lineLength = 0;
        if (length == 0) {
            if (any) {
                byte[] whole = data;
                String named = name;
                data = new byte[0];
                name = "";
                any = false;
                events.event(named, whole);
            }
        } else if (begins(NAME, length)) {
            name = new String(value(NAME.length, length), StandardCharsets.UTF_8);
        } else if (begins(DATA, length)) {
            byte[] value = value(DATA.length, length);
            if (any) {
                int old = data.length;
                data = Arrays.copyOf(data, old + 1 + value.length);
                data[old] = '\n';
                System.arraycopy(value, 0, data, old + 1, value.length);
            } else {
                data = value;
            }
            any = true;
        }
    }

    private boolean begins(byte[] field, int length) {
        return length >= field.length && Arrays.equals(line, 0, field.length, field, 0, field.length);
    }

    private byte[] value(int from, int to) {
        return Arrays.copyOfRange(line, from < to && line[from] == ' ' ? from + 1 : from, to);
    }
}
