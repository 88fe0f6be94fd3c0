package dev.sluice.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class BodyReaderTest {
    private final BodyBudget budget = new BodyBudget(1_000);

    @Test
    void piecesAreJoinedAndTheMemoryIsGivenBack() {
        var reader = new BodyReader(budget, 500);
        StringBuilder sent = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            assertThat(reader.add(Buffer.buffer("p" + i % 10))).isEqualTo(BodyReader.Step.TAKEN);
            sent.append('p').append(i % 10);
        }

        assertThat(new String(reader.body(), StandardCharsets.UTF_8)).isEqualTo(sent.toString());
        assertThat(budget.used()).isBetween(200L, 500L);
        reader.release();
        reader.release();
        assertThat(budget.used()).isZero();
    }

    @Test
    void oneByteTooManyIsTooLarge() {
        var reader = new BodyReader(budget, 10);

        assertThat(reader.add(Buffer.buffer("0123456789"))).isEqualTo(BodyReader.Step.TAKEN);
        assertThat(reader.add(Buffer.buffer("x"))).isEqualTo(BodyReader.Step.TOO_LARGE);
    }

    @Test
    void allBodiesShareOneBudget() {
        var first = new BodyReader(budget, 900);
        var second = new BodyReader(budget, 900);
        assertThat(first.add(Buffer.buffer("y".repeat(800)))).isEqualTo(BodyReader.Step.TAKEN);

        assertThat(second.add(Buffer.buffer("y".repeat(300)))).isEqualTo(BodyReader.Step.NO_MEMORY);
        first.release();
        assertThat(second.add(Buffer.buffer("y".repeat(300)))).isEqualTo(BodyReader.Step.TAKEN);
    }
}
