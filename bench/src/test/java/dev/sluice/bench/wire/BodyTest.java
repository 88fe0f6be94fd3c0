package dev.sluice.bench.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The load driver's HTTP")
class BodyTest {
    private static final String CHUNKED_HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static Head head(String text) {
        byte[] bytes = text.getBytes(US_ASCII);
        return Head.parse(bytes, bytes.length).orElseThrow();
    }

    @Test
    void aHeadIsReadOnlyWhenItIsWhole() {
        byte[] bytes = CHUNKED_HEAD.getBytes(US_ASCII);
        assertThat(Head.parse(bytes, bytes.length - 1)).isEmpty();
        assertThat(Head.parse(bytes, bytes.length)).hasValueSatisfying(head -> {
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.chunked()).isTrue();
            assertThat(head.length()).isEqualTo(bytes.length);
        });
    }

    @Test
    void aPlainBodyEndsAtItsLength() {
        Body body = new Body();
        body.begin(head("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n"));
        assertThat(body.accept("abcdefgh".getBytes(US_ASCII), 0, 8)).isEqualTo(5);
        assertThat(body.done()).isTrue();
    }

    @Test
    void aChunkedBodyEndsAfterItsTrailerHoweverItIsCut() {
        byte[] bytes =
                "B\r\ndata: one\n\n\r\n10\r\ndata: two\n\ndata:\r\n8\r\n three\n\n\r\n0\r\n\r\n".getBytes(US_ASCII);
        for (int step = 1; step <= bytes.length; step++) {
            Body body = new Body();
            body.begin(head(CHUNKED_HEAD));
            for (int from = 0; from < bytes.length; from += step) {
                assertThat(body.done()).isFalse();
                body.accept(bytes, from, Math.min(bytes.length, from + step));
            }
            assertThat(body.done()).as("in steps of %d", step).isTrue();
            assertThat(body.events()).as("in steps of %d", step).isEqualTo(3);
        }
    }
}
