package dev.sluice.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The spread of some rounds")
class SpreadTest {
    @Test
    void theMedianOfAnOddNumberIsTheMiddleOne() {
        assertThat(Spread.of(3, 1, 2)).isEqualTo(new Spread(2, 1, 3, 3));
    }

    @Test
    void theMedianOfAnEvenNumberIsBetweenTheMiddleTwo() {
        assertThat(Spread.of(4, 1, 2, 3)).isEqualTo(new Spread(2.5, 1, 4, 4));
    }

    @Test
    void itIsWrittenWithAsManyPlacesAsMakeSense() {
        assertThat(Spread.of(1.5, 1, 12).text()).isEqualTo("1.50 (1.00-12.00)");
        assertThat(Spread.of(123.4).text()).isEqualTo("123 (123-123)");
    }
}
