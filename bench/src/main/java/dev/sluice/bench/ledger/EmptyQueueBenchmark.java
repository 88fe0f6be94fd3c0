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

/** One op = one task admitted at once and released, nobody waiting. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
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
public class EmptyQueueBenchmark {
    @Param
    private Engine engine = Engine.SEED;

    @Param({"1", "2", "4", "8"})
    private int providers;

    private Rig rig;

    @Setup
    public void setUp() {
        rig = engine.rig(providers, 8, 0);
    }

    @TearDown
    public void tearDown() {
        rig.close();
    }

    @Benchmark
    public Object submitAndRelease() {
        return rig.submitAndRelease();
    }
}
