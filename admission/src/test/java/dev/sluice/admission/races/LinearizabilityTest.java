package dev.sluice.admission.races;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.MemoryAdmission;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.Waiting;
import java.util.List;
import java.util.UUID;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Whatever threads do at once has the result of some order, one after the other. */
@Param(name = "task", gen = IntGen.class, conf = "1:3")
@Param(name = "epoch", gen = IntGen.class, conf = "1:4")
public class LinearizabilityTest {
    private static final Scope MODEL = Scope.platformModel("on-prem", "a");

    private final MemoryAdmission admission = MemoryAdmission.manual(
            Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(1)), () -> 0);

    private static UUID id(int task) {
        return new UUID(0x7000L, 0x8000_0000_0000_0000L | task);
    }

    @Operation
    public String submit(@Param(name = "task") int task) {
        Ask ask = Ask.sync(id(task), "w", "here", 100, List.of(Demand.one(MODEL)));
        return switch (admission.submit(ask).decision().toCompletableFuture().join()) {
            case Admitted admitted -> "admitted " + admitted.epoch();
            case Waiting any -> "waiting";
            case Rejected rejected -> rejected.refusal().reason().toString();
        };
    }

    @Operation
    public boolean release(@Param(name = "task") int task, @Param(name = "epoch") int epoch) {
        return admission.release(id(task), epoch).toCompletableFuture().join();
    }

    @Operation
    public boolean cancel(@Param(name = "task") int task) {
        return admission
                .cancel(id(task), Eviction.CANCELLED)
                .toCompletableFuture()
                .join();
    }

    @Operation
    public String look(@Param(name = "task") int task) {
        return admission
                .explain(id(task))
                .map(found -> found.task().waiting()
                        ? "waits"
                        : "holds " + found.task().epoch())
                .orElse("unknown");
    }

    @Test
    void everyOutcomeIsThatOfSomeOrder() {
        new StressOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(3)
                .check(LinearizabilityTest.class);
    }
}
