package dev.sluice.gateway;

import dev.sluice.gateway.tasks.Step;
import dev.sluice.postgres.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A gateway in a process of its own that ends without a word, as by {@code kill -9}, the first time that an execution
 * reaches a step. Takes the database, a file with the configuration and the step or "none"; prints its port.
 */
final class WorkerChild {
    private WorkerChild() {}

    public static void main(String[] args) throws Exception {
        var database = new TestDatabase(args[0], args[1], args[2], args[3], args[4]);
        String fatal = args[6];
        RunningGateway gateway = RunningGateway.startOn(
                database, Files.readString(Path.of(args[5])), (step, task) -> reached(step, fatal));
        System.out.println("port " + gateway.port());
        // Until it is killed, by itself or by the test.
        while (System.in.read() >= 0) {
            // nothing is said to it
        }
    }

    private static void reached(Step step, String fatal) {
        if (step.name().equals(fatal)) {
            Runtime.getRuntime().halt(9);
        }
    }
}
