package dev.sluice.gateway.config;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** The command {@code sluice check --config FILE}. */
public final class Check {
    public static final int GOOD = 0;
    public static final int FAULTY = 2;

    private Check() {}

    /**
     * Prints one line for each fault, or one that sums the file up.
     *
     * @return the exit code, {@link #GOOD} or {@link #FAULTY}
     */
    public static int run(Path file, Environment environment, PrintWriter out, PrintWriter err) {
        return switch (ConfigurationFile.read(file, environment)) {
            case Verdict.Loaded(Configuration configuration) -> {
                out.println(file + ": good: " + summary(configuration));
                out.flush();
                yield GOOD;
            }
            case Verdict.Faulty(List<FileFault> faults) -> {
                faults.forEach(err::println);
                err.flush();
                yield FAULTY;
            }
        };
    }

    /** Counts of what is configured, for one line of output. */
    public static String summary(Configuration configuration) {
        long providers = configuration.platforms().stream()
                .mapToLong(platform -> platform.providers().size())
                .sum();
        long keys = configuration.groups().stream()
                .mapToLong(group -> group.keys().size())
                .sum();
        return String.join(
                ", ",
                count(configuration.platforms().size(), "platform"),
                count(providers, "provider"),
                count(configuration.models().size(), "model"),
                count(configuration.groups().size(), "group"),
                count(keys, "key"));
    }

    private static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
