package dev.sluice.bench.ledger;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * 50 models of 8 slots, all taken, 1,000 groups with room: the waiters stand in up to 50,000 lines. One op = one release,
 * which starts one waiter, and one new task of the same model and any group, which waits: the backlog keeps its length,
 * and the same 50,000 lines are touched however many wait.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {
            "-Xms2g",
            "-Xmx2g",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+UseTransparentHugePages"
        })
public class ManyLinesBenchmark {
    @Param({"100", "10000", "100000"})
    private int waiting;

    private Rig rig;

    @Setup
    public void setUp() {
        rig = SluiceRig.manyLines(50, 1_000, waiting);
    }

    @TearDown
    public void tearDown() {
        rig.close();
    }

    @Benchmark
    public Object releaseAndSubmit() {
        return rig.releaseAndSubmit();
    }
}
