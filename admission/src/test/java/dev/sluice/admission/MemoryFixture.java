package dev.sluice.admission;

import dev.sluice.admission.contract.AdmissionFixture;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The memory engine on a clock that only the test moves. Every answer is there when the call returns. */
public final class MemoryFixture implements AdmissionFixture {
    private final AtomicLong nanos = new AtomicLong();
    private @Nullable MemoryAdmission admission;

    @Override
    public Admission open(Policies policies) {
        admission = MemoryAdmission.manual(policies, nanos::get);
        return admission;
    }

    @Override
    public void elapse(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Override
    public void tick() {
        if (admission != null) {
            admission.tick();
        }
    }

    @Override
    public void settle() {
        // Nothing is ever in flight.
    }

    @Override
    public Duration patience() {
        return Duration.ZERO;
    }

    @Override
    public void close() {
        if (admission != null) {
            admission.close();
        }
    }
}
