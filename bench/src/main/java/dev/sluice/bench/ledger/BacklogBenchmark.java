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
 * Four providers of 8 slots, all taken, one model with a backlog. One op = one release, which starts the first waiter,
 * and one new task, which waits: the backlog keeps its length.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-Xms2g",
            "-Xmx2g",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+UseTransparentHugePages"
        })
public class BacklogBenchmark {
    @Param
    private Engine engine = Engine.SEED;

    @Param({"100", "1000", "10000"})
    private int waiting;

    private Rig rig;

    @Setup
    public void setUp() {
        rig = engine.rig(4, 8, waiting);
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
