package dev.sluice.bench.cycle;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Scope;
import dev.sluice.admission.TaskIds;
import dev.sluice.admission.Turn;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The durable engine with one scope of a small limit. A task asked for again is a new one to the engine. */
final class SluiceHotQueue implements HotQueue {
    private static final Scope MODEL = Scope.platformModel("bench", "hot");
    private static final Scope GROUP = Scope.userGroup("hot");
    private static final List<Demand> NEEDS = List.of(Demand.one(MODEL), Demand.one(GROUP));

    private final TaskIds ids = new TaskIds(InstantSource.system()::millis);
    private final Map<String, Admitted> running = new ConcurrentHashMap<>();
    private final SluiceEngine engine;
    private final Consumer<String> started;

    SluiceHotQueue(String url, Consumer<String> started) {
        this.started = started;
        Policies policies =
                Policies.NONE.with(MODEL, SluiceEngine.policy(LIMIT)).with(GROUP, SluiceEngine.policy(0));
        engine = SluiceEngine.start(url, policies);
    }

    @Override
    public void submit(String task) {
        Ask ask = Ask.sync(ids.next(), "waiter", engine.holder(), 100, NEEDS);
        Turn turn = engine.admission().submit(ask);
        var unused = turn.outcome().thenAccept(outcome -> begin(task, outcome));
        turn.decision().toCompletableFuture().join();
    }

    private void begin(String task, Outcome outcome) {
        if (outcome instanceof Admitted admitted) {
            running.put(task, admitted);
            started.accept(task);
        }
    }

    @Override
    public void release(String task) {
        Admitted admitted = running.remove(task);
        if (admitted == null) {
            throw new IllegalStateException(task + " does not run");
        }
        engine.admission()
                .release(admitted.task(), admitted.epoch())
                .toCompletableFuture()
                .join();
    }

    @Override
    public void close() {
        engine.close();
    }
}
