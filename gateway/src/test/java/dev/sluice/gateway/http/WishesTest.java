package dev.sluice.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.admission.MaxWait;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class WishesTest {
    private static Wishes of(String name, String value) throws Wishes.BadHeader {
        return Wishes.of(MultiMap.caseInsensitiveMultiMap().add(name, value));
    }

    @Test
    void whoSaysNothingGetsTheRules() throws Wishes.BadHeader {
        assertThat(Wishes.of(MultiMap.caseInsensitiveMultiMap())).isEqualTo(Wishes.NONE);
    }

    @Test
    void aWaitIsSecondsWithAtMostThreeDecimals() throws Wishes.BadHeader {
        assertThat(of("X-Sluice-Max-Wait", "0").maxWait()).isEqualTo(MaxWait.DO_NOT_QUEUE);
        assertThat(of("x-sluice-max-wait", "0.05").maxWait()).isEqualTo(MaxWait.atMost(Duration.ofMillis(50)));
        assertThat(of("x-sluice-max-wait", "90").maxWait()).isEqualTo(MaxWait.atMost(Duration.ofSeconds(90)));
        for (String wrong : new String[] {"", " ", "1.", ".5", "1.2345", "1e3", "+1", "-1", "1,5", "NaN"}) {
            assertThatThrownBy(() -> of("x-sluice-max-wait", wrong)).as(wrong).isInstanceOf(Wishes.BadHeader.class);
        }
    }

    @Test
    void aPriorityIsAWholeNumberInRange() throws Wishes.BadHeader {
        assertThat(of("x-sluice-priority", "0").priority()).isEqualTo(OptionalInt.of(0));
        assertThat(of("x-sluice-priority", "1000000").priority()).isEqualTo(OptionalInt.of(1_000_000));
        for (String wrong : new String[] {"", "1000001", "9999999999", "1.0", "-0"}) {
            assertThatThrownBy(() -> of("x-sluice-priority", wrong)).as(wrong).isInstanceOf(Wishes.BadHeader.class);
        }
    }
}
