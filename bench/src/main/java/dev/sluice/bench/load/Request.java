package dev.sluice.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The one request that all clients of a load send.
 *
 * @param expectedEvents SSE events of a whole answer, the last {@code [DONE]} included
 */
public record Request(byte[] bytes, int expectedEvents) {
    public static final int BODY_BYTES = 1024;

    /** A key that {@code sluice.yaml} of the benchmark accepts; other gateways ignore it. */
    public static final String KEY = "sk-bench-0123456789abcdefghijklmnopqrstuv";

    public static Request unary() {
        return of("", 0);
    }

    /** A stream of so many events, then {@code [DONE]}. */
    public static Request stream(int events) {
        return of("\"stream\":true,\"max_tokens\":" + events + ",", events + 1);
    }

    /** A stream that gets one event and then stays silent. */
    public static Request held() {
        return of("\"stream\":true,\"max_tokens\":0,", -1);
    }

    private static Request of(String fields, int expectedEvents) {
        String start = "{\"model\":\"bench-model\"," + fields + "\"messages\":[{\"role\":\"user\",\"content\":\"";
        String end = "\"}]}";
        String body = start + "word ".repeat(BODY_BYTES).substring(0, BODY_BYTES - start.length() - end.length()) + end;
        String head = "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer " + KEY
                + "\r\ncontent-type: application/json\r\naccept: */*\r\ncontent-length: " + BODY_BYTES + "\r\n\r\n";
        return new Request((head + body).getBytes(US_ASCII), expectedEvents);
    }
}
