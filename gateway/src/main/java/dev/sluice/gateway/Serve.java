package dev.sluice.gateway;

import dev.sluice.gateway.config.ApiKey;
import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.config.ConfigurationSource;
import dev.sluice.gateway.config.ConfigurationSource.Opening;
import dev.sluice.gateway.config.Database;
import dev.sluice.gateway.config.Environment;
import dev.sluice.gateway.config.ListenAddress;
import dev.sluice.gateway.config.ProcessSignal;
import dev.sluice.gateway.config.QuickStart;
import dev.sluice.gateway.config.Ticker;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command {@code sluice serve}: runs until SIGTERM or SIGINT, then drains; a second one ends it at once. */
@Command(
        name = "serve",
        description = "Runs the gateway; without --config with simulated models and a printed key.",
        mixinStandardHelpOptions = true)
final class Serve implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int FAULTY = 2;
    private static final int KILLED = 143;
    private static final Path DATA = Path.of("data");

    @Spec
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration, YAML.")
    private @Nullable Path config;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = AddressConverter.class,
            description = "Overrides the data plane's address.")
    private @Nullable ListenAddress listen;

    @Option(
            names = "--admin-listen",
            paramLabel = "HOST:PORT",
            converter = AddressConverter.class,
            description = "Overrides the admin plane's address.")
    private @Nullable ListenAddress adminListen;

    /** Reads {@code host:port}. */
    static final class AddressConverter implements ITypeConverter<ListenAddress> {
        @Override
        public ListenAddress convert(String text) {
            return ListenAddress.parse(text)
                    .orElseThrow(() -> new TypeConversionException(
                            "'" + text + "' is not host:port or [ipv6]:port with a port from 0 to 65535"));
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        return config == null ? quickStart() : configured(config);
    }

    private int quickStart() throws InterruptedException {
        return switch (QuickStart.prepare(
                DATA, Optional.ofNullable(listen), Optional.ofNullable(adminListen), new SecureRandom())) {
            case QuickStart.Refused refused -> failed(refused.reason(), FAILED);
            case QuickStart.Ready ready ->
                run(ConfigurationSource.fixed(ready.configuration()), Optional.of(ready.key()));
        };
    }

    private int configured(Path file) throws InterruptedException {
        return switch (ConfigurationSource.open(file, Environment.ofProcess(), this::overridden)) {
            case Opening.Refused refused -> {
                refused.faults().forEach(spec.commandLine().getErr()::println);
                yield FAULTY;
            }
            case Opening.Opened opened -> run(opened.source(), Optional.empty());
        };
    }

    private Configuration overridden(Configuration read) {
        return read.listeningAt(
                Optional.ofNullable(listen).orElse(read.listen()),
                Optional.ofNullable(adminListen).orElse(read.admin().listen()));
    }

    private int run(ConfigurationSource source, Optional<ApiKey> key) throws InterruptedException {
        Gateway gateway;
        try {
            gateway = Gateway.start(source, spec.commandLine().getOut()::println);
        } catch (Exception e) { // an address taken just now is a BindException, which nothing declares
            return failed("cannot start: " + reason(e), FAILED);
        }
        var ended = new CountDownLatch(1);
        var asked = new AtomicBoolean();
        Runnable stop = () -> {
            if (asked.getAndSet(true)) {
                Runtime.getRuntime().halt(KILLED);
            }
            ended.countDown();
        };
        ProcessSignal.handle("TERM", stop);
        ProcessSignal.handle("INT", stop);
        ProcessSignal.handle("HUP", source::reload);
        Ticker.Ticking watching = source.watch(everySecond(), ConfigurationSource.PERIOD);
        announce(gateway, source.current(), key);
        ended.await();
        watching.close();
        gateway.drain();
        spec.commandLine().getOut().println("Sluice has stopped.");
        return 0;
    }

    private static Ticker everySecond() {
        return (period, task) -> {
            var timer = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("sluice-config-watch").daemon().factory());
            ScheduledFuture<?> ticking =
                    timer.scheduleWithFixedDelay(task, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
            return () -> {
                ticking.cancel(false);
                timer.shutdown();
            };
        };
    }

    private void announce(Gateway gateway, Configuration configuration, Optional<ApiKey> key) {
        PrintWriter out = spec.commandLine().getOut();
        String api = "http://" + gateway.listening() + "/v1";
        String admin = "http://" + gateway.adminListening();
        if (configuration.database() instanceof Database.Memory) {
            out.println("Queues and limits are kept in memory: one process, and nothing survives a stop.");
        }
        key.ifPresent(printed ->
                out.println("""
                Quick start with simulated models. Key, kept in %s for this machine only: %s
                  curl %s/chat/completions -H 'authorization: Bearer %s' -H 'content-type: application/json' \\
                    -d '{"model": "sim-small", "messages": [{"role": "user", "content": "Hello"}]}'\
                """.formatted(DATA.resolve("quickstart-key"), printed.reveal(), api, printed.reveal())));
        out.println("Sluice " + Main.version() + " is ready: API " + api + ", admin " + admin + "/admin/queue, metrics "
                + admin + "/metrics");
    }

    private int failed(String reason, int code) {
        spec.commandLine().getErr().println(reason);
        return code;
    }

    private static String reason(Throwable failure) {
        return Optional.ofNullable(failure.getMessage())
                .orElseGet(() -> failure.getClass().getSimpleName());
    }
}
