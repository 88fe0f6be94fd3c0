package dev.sluice.admission.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.MemoryAdmission;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.Turn;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** On the real clock what is due happens although nobody asks for anything. */
class ClockTest {
    private static final Scope MODEL = Scope.platformModel("on-prem", "a");

    private static Ask ask() {
        return Ask.sync(UUID.randomUUID(), "w", "here", 100, List.of(Demand.one(MODEL)));
    }

    private static Outcome outcome(Turn turn) throws ExecutionException, InterruptedException, TimeoutException {
        return turn.outcome().toCompletableFuture().get(Racers.PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static Policies policies(Duration ttl) {
        return Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(10).leaseTtl(ttl));
    }

    @Test
    void aDeadlinePassesThoughALaterOneWasAwaitedFirst() throws Exception {
        try (MemoryAdmission admission = MemoryAdmission.start(policies(Duration.ofHours(1)))) {
            admission.submit(ask());
            Turn patient = admission.submit(ask());

            Turn hasty = admission.submit(ask().within(MaxWait.atMost(Duration.ofMillis(20))));

            assertThat(outcome(hasty))
                    .isInstanceOfSatisfying(
                            Evicted.class,
                            evicted -> assertThat(evicted.reason()).isEqualTo(Eviction.QUEUE_TIMEOUT));
            assertThat(patient.outcome().toCompletableFuture()).isNotDone();
        }
    }

    @Test
    void anExpiredLeaseIsGivenOnByTheClockAlone() throws Exception {
        try (MemoryAdmission admission = MemoryAdmission.start(policies(Duration.ofMillis(30)))) {
            admission.submit(ask());
            Turn waiter = admission.submit(ask());

            assertThat(outcome(waiter)).isInstanceOf(Admitted.class);
            assertThat(admission.totals().leasesExpired()).isPositive();
        }
    }

    @Test
    void aCallerThatThrowsDoesNotHarmTheEngine() throws Exception {
        try (MemoryAdmission admission = MemoryAdmission.start(policies(Duration.ofMillis(30)))) {
            admission.submit(ask());
            Turn first = admission.submit(ask());
            first.outcome().thenAccept(any -> {
                throw new IllegalStateException("a fault of the caller");
            });
            Turn second = admission.submit(ask());

            assertThat(outcome(first)).isInstanceOf(Admitted.class);
            assertThat(outcome(second)).isInstanceOf(Admitted.class);
        }
    }
}
