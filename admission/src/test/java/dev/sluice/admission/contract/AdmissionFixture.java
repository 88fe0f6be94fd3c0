package dev.sluice.admission.contract;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Policies;
import java.time.Duration;

/** What a test needs of an engine: to open it empty, and to be the master of its clock. */
public interface AdmissionFixture extends AutoCloseable {
    /** Opens an engine without any task; called once. */
    Admission open(Policies policies);

    /** Moves the clock. The engine need not notice before its next operation. */
    void elapse(Duration time);

    /** Lets the engine do what is due by now: expiries, evictions, spills, promotions. */
    void tick();

    /** Returns once everything asked so far was decided and told. */
    void settle();

    /** How long an answer that must come may take in real time; zero if answers come on the caller's thread. */
    Duration patience();

    @Override
    void close();

    default void advance(Duration time) {
        elapse(time);
        tick();
        settle();
    }
}
