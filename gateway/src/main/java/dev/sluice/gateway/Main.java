package dev.sluice.gateway;

import dev.sluice.gateway.config.Check;
import dev.sluice.gateway.config.Environment;
import dev.sluice.gateway.config.NewKey;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
        name = "sluice",
        description = "An AI gateway whose heart is admission control.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {
            Serve.class,
            Main.CheckFile.class,
            Main.MakeKey.class,
            Transfer.ToFile.class,
            Transfer.FromFile.class,
            CommandLine.HelpCommand.class
        })
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        // Each line is seen when it is said: a first start takes long, and says at what.
        return new CommandLine(new Main()).setOut(lineByLine(System.out)).setErr(lineByLine(System.err));
    }

    private static PrintWriter lineByLine(PrintStream out) {
        return new PrintWriter(new OutputStreamWriter(out, out.charset()), true);
    }

    /** For example {@code 0.1.0}. */
    static String version() {
        return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "unpackaged");
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say which command to run.");
    }

    /** The version that the build wrote into the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"sluice " + version()};
        }
    }

    @Command(
            name = "check",
            description = "Checks a configuration file: exit 0, or 2 with file:line: message for each fault.",
            mixinStandardHelpOptions = true)
    static final class CheckFile implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Option(names = "--config", required = true, paramLabel = "FILE", description = "The file to check.")
        private Path config;

        @Override
        public Integer call() {
            CommandLine line = spec.commandLine();
            return Check.run(config, Environment.ofProcess(), line.getOut(), line.getErr());
        }
    }

    @Command(
            name = "key",
            description = "Prints a new key once, and its sha256 line for the configuration.",
            mixinStandardHelpOptions = true)
    static final class MakeKey implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            NewKey.run(new SecureRandom(), spec.commandLine().getOut());
            return 0;
        }
    }
}
