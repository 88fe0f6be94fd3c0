package dev.sluice.bench.upstream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/** The answers as bytes, made once. */
final class Answers {
    static final int UNARY_BODY_BYTES = 500;

    private static final ByteBuffer UNARY = bytes(unary());
    private static final ByteBuffer STREAM_HEAD = bytes("""
            HTTP/1.1 200 OK\r
            content-type: text/event-stream\r
            cache-control: no-cache\r
            transfer-encoding: chunked\r
            \r
            """);
    private static final ByteBuffer EVENT = bytes(chunk("""
            data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench-model",\
            "choices":[{"index":0,"delta":{"content":" token"},"finish_reason":null}]}

            """));
    private static final ByteBuffer STREAM_END = bytes(chunk("data: [DONE]\n\n") + "0\r\n\r\n");

    private Answers() {}

    private static String unary() {
        String start = """
                {"id":"chatcmpl-bench","object":"chat.completion","created":1700000000,"model":"bench-model",\
                "choices":[{"index":0,"message":{"role":"assistant","content":\"""";
        String end = """
                "},"finish_reason":"stop"}],"usage":{"prompt_tokens":200,"completion_tokens":60,"total_tokens":260}}""";
        String body = start + "x".repeat(UNARY_BODY_BYTES - start.length() - end.length()) + end;
        return "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " + body.length() + "\r\n\r\n"
                + body;
    }

    private static String chunk(String content) {
        return Integer.toHexString(content.length()) + "\r\n" + content + "\r\n";
    }

    private static ByteBuffer bytes(String text) {
        byte[] ascii = text.getBytes(US_ASCII);
        return ByteBuffer.allocateDirect(ascii.length).put(ascii).flip();
    }

    static ByteBuffer unaryAnswer() {
        return UNARY.duplicate();
    }

    static ByteBuffer streamHead() {
        return STREAM_HEAD.duplicate();
    }

    static ByteBuffer event() {
        return EVENT.duplicate();
    }

    static ByteBuffer streamEnd() {
        return STREAM_END.duplicate();
    }

    static ByteBuffer json(String body) {
        return bytes("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " + body.length()
                + "\r\n\r\n" + body);
    }
}
