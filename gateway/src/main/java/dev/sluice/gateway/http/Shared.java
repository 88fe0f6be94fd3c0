package dev.sluice.gateway.http;

import dev.sluice.admission.Admission;
import dev.sluice.admission.TaskIds;
import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.telemetry.Telemetry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** What all event loops of the data plane have in common; safe for use by many threads. */
public final class Shared {
    private final Admission admission;
    private final BooleanSupplier available;
    private final Optional<AsyncTasks> tasks;
    private final Telemetry telemetry;
    private final String holder;
    private final InstantSource clock;
    private final Patience patience;
    private final TaskIds ids;
    private final BodyBudget bodies;
    private final Liveness liveness;
    private final IdempotencyKeys idempotencyKeys = new IdempotencyKeys(System::nanoTime);
    private volatile Switchboard switchboard;
    private volatile boolean draining;

    /**
     * @param available whether the ledger can decide now
     * @param tasks empty if nothing can be kept for later
     * @param holder names this process to the ledger
     */
    public Shared(
            Configuration configuration,
            Admission admission,
            BooleanSupplier available,
            Optional<AsyncTasks> tasks,
            Telemetry telemetry,
            String holder,
            InstantSource clock,
            Patience patience) {
        this.admission = admission;
        this.available = available;
        this.tasks = tasks;
        this.telemetry = telemetry;
        this.holder = holder;
        this.clock = clock;
        this.patience = patience;
        this.ids = new TaskIds(clock::millis);
        this.bodies = new BodyBudget(configuration.http().maxBufferedBytes());
        this.liveness = new Liveness(admission);
        this.switchboard = Switchboard.of(configuration, clock);
    }

    /** Replaces what requests from now on, and those that wait, are served by. */
    public void configure(Configuration changed) {
        switchboard = switchboard.next(changed, clock);
        bodies.resize(changed.http().maxBufferedBytes());
    }

    /** From now on new requests are refused. */
    public void drain() {
        draining = true;
    }

    public Switchboard switchboard() {
        return switchboard;
    }

    public boolean draining() {
        return draining;
    }

    boolean available() {
        return available.getAsBoolean();
    }

    /** Bytes of request bodies in memory. */
    public long bufferedBytes() {
        return bodies.used();
    }

    Admission admission() {
        return admission;
    }

    Optional<AsyncTasks> tasks() {
        return tasks;
    }

    Telemetry telemetry() {
        return telemetry;
    }

    public String holder() {
        return holder;
    }

    Patience patience() {
        return patience;
    }

    BodyBudget bodies() {
        return bodies;
    }

    Liveness liveness() {
        return liveness;
    }

    IdempotencyKeys idempotencyKeys() {
        return idempotencyKeys;
    }

    Instant now() {
        return clock.instant();
    }

    public UUID nextTask() {
        return ids.next();
    }
}
