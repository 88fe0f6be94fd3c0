package dev.sluice.gateway.responses;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Events of a stream")
final class EventReaderTest {
    private static final String STREAM =
            ": a comment\n\nevent: one\r\ndata: {\"a\":\"é\"}\r\n\r\ndata:two\ndata: lines\n\n"
                    + "id: 7\nevent: empty\n\nevent: three\ndata: 3\n\ndata: cut";

    private final List<String> seen = new ArrayList<>();
    private final EventReader reader =
            new EventReader(1_000, (name, data) -> seen.add(name + '=' + new String(data, UTF_8)));

    @Test
    void areReadWhereverTheStreamIsCut() {
        byte[] bytes = STREAM.getBytes(UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            seen.clear();
            var fresh = new EventReader(1_000, (name, data) -> seen.add(name + '=' + new String(data, UTF_8)));
            fresh.feed(Buffer.buffer(bytes).getBuffer(0, cut));
            fresh.feed(Buffer.buffer(bytes).getBuffer(cut, bytes.length));

            assertThat(seen).as("cut at %d", cut).containsExactly("one={\"a\":\"é\"}", "=two\nlines", "three=3");
        }
    }

    @Test
    void thatAreTooLongAreNoted() {
        reader.feed(Buffer.buffer("data: " + "x".repeat(2_000)));
        reader.feed(Buffer.buffer("\n\n"));

        assertThat(reader.isOverlong()).isTrue();
        assertThat(seen).isEmpty();
    }

    @Test
    void inARowAreCutBehindThoseThatAreKnown() {
        byte[] row = "event: a\ndata: 1\n\nevent: b\ndata: 2\n\nevent: c\ndata: 3\n\n".getBytes(UTF_8);

        assertThat(EventText.from(row, 0)).isEqualTo(row);
        assertThat(new String(EventText.from(row, 1), UTF_8)).startsWith("event: b");
        assertThat(new String(EventText.from(row, 2), UTF_8)).isEqualTo("event: c\ndata: 3\n\n");
        assertThat(EventText.from(row, 3)).isEmpty();
    }
}
