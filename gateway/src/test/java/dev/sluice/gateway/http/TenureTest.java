package dev.sluice.gateway.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Held;
import dev.sluice.admission.Lease;
import dev.sluice.admission.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A grant that is to be used")
class TenureTest {
    private static final Duration TTL = Duration.ofSeconds(2);

    private final Tenure tenure = new Tenure();

    private static Admitted grant(long epoch) {
        return new Admitted(
                new UUID(0, 1),
                epoch,
                List.of(new Lease(Scope.userGroup("research"), 1_000)),
                Optional.empty(),
                true,
                TTL,
                Duration.ZERO,
                false);
    }

    private static Held held(long epoch) {
        return new Held(new UUID(0, 1), epoch);
    }

    @Test
    void isNotBegunOnceTwoThirdsOfItsTimeAreOver() {
        assertThat(tenure.begin(grant(7), TTL.dividedBy(3).minusNanos(1))).isFalse();
        assertThat(tenure.begin(grant(7), Duration.ZERO)).isFalse();
        assertThat(tenure.isCertain()).isFalse();

        assertThat(tenure.begin(grant(7), TTL.dividedBy(3))).isTrue();
        assertThat(tenure.isCertain()).isTrue();
    }

    @Test
    void isCertainNoLongerThanItsLeaseAndAgainOnlyByARenewalOfItsOwn() {
        assertThat(tenure.begin(grant(7), TTL.dividedBy(3))).isTrue();
        await().atMost(10, SECONDS).until(() -> !tenure.isCertain());

        tenure.renewed(held(8), System.nanoTime());
        assertThat(tenure.isCertain()).as("by another epoch").isFalse();
        tenure.renewed(held(7), System.nanoTime() - TTL.toNanos());
        assertThat(tenure.isCertain())
                .as("by one that was asked for too long ago")
                .isFalse();
        tenure.renewed(held(7), System.nanoTime());
        assertThat(tenure.isCertain()).isTrue();
    }

    @Test
    void isRenewedThreeTimesInItsTtl() {
        assertThat(tenure.begin(grant(7), TTL)).isTrue();
        long begun = System.nanoTime();

        assertThat(tenure.renewal(begun + TTL.toNanos() / 4, 3)).isEmpty();
        long due = begun + TTL.toNanos() / 3;
        assertThat(tenure.renewal(due, 3)).contains(held(7));
        assertThat(tenure.renewal(due + 1, 3)).as("asked for already").isEmpty();
        assertThat(tenure.renewal(due + TTL.toNanos() / 3, 3)).contains(held(7));
    }
}
