package dev.sluice.bench.cycle;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Scope;
import dev.sluice.admission.TaskIds;
import dev.sluice.admission.Waiting;
import dev.sluice.bench.report.Results;
import dev.sluice.postgres.PostgresAdmission;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The durable engine: one submit, told after the commit, and one release, told after the commit. */
final class SluiceCycle implements Cycle {
    private static final int WIDE = 1_000;
    private static final boolean PLATFORM = Results.option("threads", "virtual").equals("platform");

    private final TaskIds ids = new TaskIds(InstantSource.system()::millis);
    private final SluiceEngine engine;
    private final List<List<Demand>> demands = new ArrayList<>();

    SluiceCycle(String url) {
        Policies policies = Policies.NONE;
        for (int model = 0; model < Contender.MODELS; model++) {
            policies = policies.with(model(model), SluiceEngine.policy(WIDE));
        }
        for (int group = 0; group < Contender.GROUPS; group++) {
            policies = policies.with(group(group), SluiceEngine.policy(WIDE));
        }
        for (int model = 0; model < Contender.BACKLOG_MODELS; model++) {
            policies = policies.with(backlogModel(model), SluiceEngine.policy(1));
        }
        engine = SluiceEngine.start(url, policies);
        for (int caller = 0; caller < Contender.CALLERS_MAX; caller++) {
            demands.add(List.of(
                    Demand.one(model(caller % Contender.MODELS)), Demand.one(group(caller % Contender.GROUPS))));
        }
    }

    private static Scope model(int number) {
        return Scope.platformModel("bench", "model-" + number);
    }

    private static Scope group(int number) {
        return Scope.userGroup("group-" + number);
    }

    private static Scope backlogModel(int number) {
        return Scope.platformModel("bench", "backlog-" + number);
    }

    @Override
    public Thread.Builder caller() {
        return PLATFORM ? Thread.ofPlatform() : Thread.ofVirtual();
    }

    @Override
    public void run(int caller) {
        PostgresAdmission admission = engine.admission();
        Ask ask = Ask.sync(ids.next(), "waiter", engine.holder(), 100, demands.get(caller));
        Outcome outcome = admission.submit(ask).outcome().toCompletableFuture().join();
        if (!(outcome instanceof Admitted admitted)) {
            throw new IllegalStateException("not admitted: " + outcome);
        }
        boolean released = admission
                .release(admitted.task(), admitted.epoch())
                .toCompletableFuture()
                .join();
        if (!released) {
            throw new IllegalStateException("not released: " + admitted);
        }
    }

    /** One task runs in each model of the backlog; the others wait behind it, in many groups. */
    @Override
    public void addWaiting(int tasks) {
        if (tasks == 0) {
            return;
        }
        List<CompletionStage<Decision>> decisions = new ArrayList<>();
        for (int i = 0; i < tasks + Contender.BACKLOG_MODELS; i++) {
            List<Demand> needs = List.of(
                    Demand.one(backlogModel(i % Contender.BACKLOG_MODELS)),
                    Demand.one(Scope.userGroup("backlog-" + i % Contender.BACKLOG_GROUPS)));
            decisions.add(
                    engine.admission().submit(Ask.async(ids.next(), 100, needs)).decision());
        }
        long waiting = decisions.stream()
                .filter(decision -> decision.toCompletableFuture().join() instanceof Waiting)
                .count();
        if (waiting != tasks) {
            throw new IllegalStateException(waiting + " tasks wait instead of " + tasks);
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}
