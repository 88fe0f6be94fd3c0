package dev.sluice.bench.ledger;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.MemoryAdmission;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.admission.TaskIds;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The memory engine as the gateway uses it: its own clock and timer, synchronous tasks under the scopes of their model
 * and group and a provider, a callback for each, and the heartbeat of the process that holds them.
 */
final class SluiceRig implements Rig {
    private static final String HOLDER = "bench";
    private static final long SEED = 42;

    /** What a task asks for, kept so that an equal one replaces it. */
    private record Line(Routing routing, List<Demand> demands) {}

    private record Run(Admitted admitted, Line line) {}

    private final Admission admission;
    private final TaskIds ids = new TaskIds(InstantSource.system()::millis);
    private final ArrayDeque<Run> running = new ArrayDeque<>();
    private final ScheduledExecutorService heartbeat = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-heartbeat");
        thread.setDaemon(true);
        return thread;
    });
    private final Line[][] lines;
    private long started;

    private SluiceRig(Policies policies, int models, int groups) {
        admission = MemoryAdmission.start(policies);
        lines = new Line[models][groups];
        for (int model = 0; model < models; model++) {
            for (int group = 0; group < groups; group++) {
                lines[model][group] =
                        new Line(Routing.to("model-" + model), List.of(Demand.one(Scope.userGroup("group-" + group))));
            }
        }
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

    /** Every model full; waiters spread evenly over the models and at random over the groups. */
    static SluiceRig manyLines(int models, int groups, int backlog) {
        SluiceRig rig = new SluiceRig(Setting.manyLines(models, groups), models, groups);
        rig.fill(models * Setting.MODEL_LIMIT + backlog);
        if (rig.running.size() != models * Setting.MODEL_LIMIT) {
            throw new IllegalStateException(rig.running.size() + " tasks run");
        }
        return rig;
    }

    private void fill(int tasks) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < tasks; i++) {
            Line[] groups = lines[i % lines.length];
            submit(groups[random.nextInt(groups.length)]);
        }
    }

    private void submit(Line line) {
        Ask ask = Ask.sync(ids.next(), "waiter", HOLDER, 100, line.demands).on(line.routing);
        var unused = admission.submit(ask).outcome().thenAccept(outcome -> begin(outcome, line));
    }

    private void begin(Outcome outcome, Line line) {
        if (!(outcome instanceof Admitted admitted)) {
            throw new IllegalStateException("not admitted: " + outcome);
        }
        running.add(new Run(admitted, line));
        started++;
    }

    private void release(Run run) {
        var unused = admission.release(run.admitted.task(), run.admitted.epoch());
    }

    @Override
    public Object submitAndRelease() {
        submit(lines[0][0]);
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
        submit(promoted.line);
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
