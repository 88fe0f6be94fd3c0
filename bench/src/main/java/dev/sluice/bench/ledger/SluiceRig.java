package dev.sluice.bench.ledger;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.MemoryAdmission;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The memory engine as the gateway uses it: its own clock and timer, synchronous tasks under the scopes of their model
 * and group and a provider, a callback for each, and the heartbeat of the process that holds them.
 */
final class SluiceRig implements Rig {
    private static final String HOLDER = "bench";
    private static final long SEED = 42;

    private record Run(Admitted admitted, int model) {}

    private final Admission admission;
    private final ArrayDeque<Run> running = new ArrayDeque<>();
    private final ScheduledExecutorService heartbeat = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-heartbeat");
        thread.setDaemon(true);
        return thread;
    });
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Routing[] models;
    private final Scope[] groups;
    private long asked;
    private long started;

    private SluiceRig(Policies policies, int models, int groups) {
        admission = MemoryAdmission.start(policies);
        this.models = IntStream.range(0, models)
                .mapToObj(i -> Routing.to("model-" + i))
                .toArray(Routing[]::new);
        this.groups = IntStream.range(0, groups)
                .mapToObj(i -> Scope.userGroup("group-" + i))
                .toArray(Scope[]::new);
        var unused = heartbeat.scheduleAtFixedRate(() -> admission.renewHolder(HOLDER), 5, 5, TimeUnit.SECONDS);
    }

    /** One model and one group whose tasks wait for a provider only, as in the seed. */
    static SluiceRig oneModel(int providers, int capacity, int backlog) {
        SluiceRig rig = new SluiceRig(Setting.oneModel(providers, capacity), 1, 1);
        if (backlog > 0) {
            rig.fill(providers * capacity + backlog);
        }
        return rig;
    }

    /**
     * Every model full; waiters spread evenly over the models and at random over the groups. Before that each group has
     * asked each model once, so that the engine knows the same lines however many tasks wait.
     */
    static SluiceRig manyLines(int models, int groups, int backlog) {
        SluiceRig rig = new SluiceRig(Setting.manyLines(models, groups), models, groups);
        for (int model = 0; model < models; model++) {
            for (int group = 0; group < groups; group++) {
                rig.submit(model, group);
                rig.release(rig.running.removeFirst());
            }
        }
        rig.fill(models * Setting.MODEL_LIMIT + backlog);
        if (rig.running.size() != models * Setting.MODEL_LIMIT) {
            throw new IllegalStateException(rig.running.size() + " tasks run");
        }
        return rig;
    }

    private void fill(int tasks) {
        for (int i = 0; i < tasks; i++) {
            submit(i % models.length);
        }
    }

    private void submit(int model) {
        submit(model, groups.length == 1 ? 0 : random.nextInt(groups.length));
    }

    /** Asks as the gateway does: the routing is the model's, the scope the group's, the rest new for each task. */
    private void submit(int model, int group) {
        Ask ask = new Ask(
                nextTask(),
                new Mode.Sync("waiter", HOLDER),
                100,
                List.of(Demand.one(groups[group])),
                Optional.of(models[model]),
                MaxWait.INHERIT,
                "");
        var unused = admission.submit(ask).outcome().thenAccept(outcome -> begin(outcome, model));
    }

    /** Counted, as the seed counts its leases, and scattered, so that neighbours in time are not so in a hash map. */
    private UUID nextTask() {
        long high = ++asked * 0x9e3779b97f4a7c15L;
        return new UUID(high, asked);
    }

    private void begin(Outcome outcome, int model) {
        if (!(outcome instanceof Admitted admitted)) {
            throw new IllegalStateException("not admitted: " + outcome);
        }
        running.add(new Run(admitted, model));
        started++;
    }

    private void release(Run run) {
        var unused = admission.release(run.admitted.task(), run.admitted.epoch());
    }

    @Override
    public Object submitAndRelease() {
        submit(0);
        Run run = running.removeFirst();
        release(run);
        return run;
    }

    @Override
    public Object releaseAndSubmit() {
        long before = started;
        release(running.removeFirst());
        if (started != before + 1) {
            throw new IllegalStateException(started - before + " tasks started after one release");
        }
        Run promoted = running.getLast();
        submit(promoted.model);
        if (started != before + 1) {
            throw new IllegalStateException("the new task did not wait");
        }
        return promoted;
    }

    @Override
    public void close() {
        heartbeat.shutdownNow();
        running.clear();
    }
}
