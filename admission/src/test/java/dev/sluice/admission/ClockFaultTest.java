package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class ClockFaultTest {
    private static final Scope MODEL = Scope.platformModel("on-prem", "a");

    private final List<LogRecord> logged = new ArrayList<>();

    private final Handler keeper = new Handler() {
        @Override
        public void publish(LogRecord one) {
            synchronized (logged) {
                logged.add(one);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @Test
    void aFaultIsReportedAndTheClockGoesOn() throws Exception {
        Logger logger = Logger.getLogger(MemoryAdmission.class.getName());
        logger.addHandler(keeper);
        logger.setUseParentHandlers(false);
        AtomicBoolean first = new AtomicBoolean(true);
        try (MemoryAdmission admission = MemoryAdmission.start(
                Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(10)), () -> {
                    if (Thread.currentThread().getName().equals("sluice-ledger-clock") && first.getAndSet(false)) {
                        throw new IllegalStateException("a bug");
                    }
                    return System.nanoTime();
                })) {
            UUID running = UUID.randomUUID();
            admission.submit(Ask.sync(running, "w", "here", 100, List.of(Demand.one(MODEL))));
            Turn waits = admission.submit(Ask.sync(UUID.randomUUID(), "w", "here", 100, List.of(Demand.one(MODEL)))
                    .within(MaxWait.atMost(Duration.ofMillis(20))));

            // Nobody asks for anything: only the clock can end this.
            assertThat(waits.outcome().toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isInstanceOf(Evicted.class);
            assertThat(first).isFalse();
            synchronized (logged) {
                assertThat(logged)
                        .singleElement()
                        .satisfies(one -> assertThat(one.getThrown()).hasMessage("a bug"));
            }
        } finally {
            logger.removeHandler(keeper);
            logger.setUseParentHandlers(true);
        }
    }
}
