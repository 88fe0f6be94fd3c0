package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Eviction;
import dev.sluice.admission.Refusal.Reason;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The end of an engine: every claim gets an answer. */
abstract class ShutdownContract extends ContractGroup {
    ShutdownContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    @Test
    void thoseWhoWaitAreTold() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim first = sync(MODEL).waits();
        Claim second = sync(MODEL).waits();

        admission.close();

        first.evicted(Eviction.SHUTTING_DOWN);
        second.evicted(Eviction.SHUTTING_DOWN);
    }

    @Test
    void newcomersAreRefused() {
        open(queued(MODEL, 1));

        admission.close();

        assertThat(sync(MODEL).refused(Reason.SHUTTING_DOWN).retryable()).isTrue();
    }

    @Test
    void closingTwiceIsHarmless() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim waiter = sync(MODEL).waits();

        admission.close();
        admission.close();

        waiter.evicted(Eviction.SHUTTING_DOWN);
    }
}
