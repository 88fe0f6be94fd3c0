package dev.sluice.gateway.config;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the configuration in force, and replaces it as a whole when its file changes.
 *
 * <p>The content is compared, not the time: editors rename files into place and volumes swap links, so only the path
 * stays. A change counts once two looks in a row see it, for a file may be met half written, and half a file can be
 * valid.
 *
 * <p>{@link #current} may be called by any thread. Reloads exclude each other; listeners run inside.
 */
public final class ConfigurationSource {
    /** How often {@link #watch} looks, unless told otherwise. */
    public static final Duration PERIOD = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationSource.class);
    private static final String UNREADABLE = "unreadable";

    /** What came of the first reading. */
    public sealed interface Opening {
        record Opened(ConfigurationSource source) implements Opening {}

        record Refused(List<FileFault> faults) implements Opening {}
    }

    /** Reloads so far, as the metric {@code config_reload_total} counts them; the first reading is none. */
    public record Counts(long success, long failure) {}

    private record Content(byte[] bytes, String fingerprint, Optional<IOException> failure) {}

    private final Optional<Path> file;
    private final Environment environment;
    private final UnaryOperator<Configuration> overrides;
    private final List<ReloadListener> listeners = new CopyOnWriteArrayList<>();
    private volatile Configuration current;
    private volatile Counts counts = new Counts(0, 0);
    private String judged;
    private String seen;

    private ConfigurationSource(
            Optional<Path> file,
            Environment environment,
            UnaryOperator<Configuration> overrides,
            Configuration first,
            String fingerprint) {
        this.file = file;
        this.environment = environment;
        this.overrides = overrides;
        this.current = overrides.apply(first);
        this.judged = fingerprint;
        this.seen = fingerprint;
    }

    /** @param overrides applied to each configuration read: what the command line says */
    public static Opening open(Path file, Environment environment, UnaryOperator<Configuration> overrides) {
        Content content = content(file);
        return switch (judge(file, content, environment)) {
            case Verdict.Loaded(Configuration first) ->
                new Opening.Opened(
                        new ConfigurationSource(Optional.of(file), environment, overrides, first, content.fingerprint));
            case Verdict.Faulty(List<FileFault> faults) -> new Opening.Refused(faults);
        };
    }

    /** A configuration that comes from no file; a reload leaves it as it is. */
    public static ConfigurationSource fixed(Configuration configuration) {
        return new ConfigurationSource(
                Optional.empty(), Environment.of(Map.of()), UnaryOperator.identity(), configuration, "");
    }

    public Configuration current() {
        return current;
    }

    public Counts counts() {
        return counts;
    }

    public void addListener(ReloadListener listener) {
        listeners.add(listener);
    }

    /** Reads the file again at once, changed or not. */
    public synchronized Reload reload() {
        return file.map(path -> accept(path, content(path)))
                .orElseGet(() -> new Reload.Accepted(current, false, List.of()));
    }

    /** Looks for a change from now on; close the answer to stop. */
    public Ticker.Ticking watch(Ticker ticker, Duration period) {
        return ticker.every(period, this::lookOn);
    }

    // A timer ends at the first exception; a watch that has ended in silence is worse than the bug.
    private void lookOn() {
        try {
            look();
        } catch (RuntimeException e) {
            LOG.error("looking at the configuration file failed", e);
        }
    }

    private synchronized void look() {
        if (file.isEmpty()) {
            return;
        }
        Content content = content(file.get());
        boolean settled = content.fingerprint.equals(seen);
        seen = content.fingerprint;
        if (settled && !content.fingerprint.equals(judged)) {
            accept(file.get(), content);
        }
    }

    private Reload accept(Path path, Content content) {
        judged = content.fingerprint;
        seen = content.fingerprint;
        return switch (judge(path, content, environment)) {
            case Verdict.Faulty(List<FileFault> faults) -> {
                counts = new Counts(counts.success, counts.failure + 1);
                LOG.warn("configuration not changed, its file has {} fault(s)", faults.size());
                faults.forEach(fault -> LOG.warn("{}", fault));
                yield new Reload.Refused(faults);
            }
            case Verdict.Loaded(Configuration read) -> {
                counts = new Counts(counts.success + 1, counts.failure);
                yield swap(overrides.apply(read));
            }
        };
    }

    private Reload swap(Configuration wanted) {
        Configuration before = current;
        List<String> needRestart = StaticKeys.changed(before, wanted);
        needRestart.forEach(key -> LOG.warn("`{}` changed in the file; the change needs a restart", key));
        Configuration after = wanted.withStaticPartOf(before);
        boolean changed = !after.equals(before);
        if (changed) {
            current = after;
            LOG.info("configuration changed: {}", Check.summary(after));
            listeners.forEach(listener -> tell(listener, before, after));
        }
        return new Reload.Accepted(after, changed, needRestart);
    }

    // One listener's bug must not keep the new configuration from the others.
    private static void tell(ReloadListener listener, Configuration before, Configuration after) {
        try {
            listener.swapped(before, after);
        } catch (RuntimeException e) {
            LOG.error("a listener failed at a change of the configuration", e);
        }
    }

    private static Verdict judge(Path path, Content content, Environment environment) {
        return content.failure
                .map(failure -> ConfigurationFile.unreadable(path.toString(), failure))
                .orElseGet(() -> ConfigurationFile.parse(path.toString(), content.bytes, environment));
    }

    private static Content content(Path path) {
        try {
            byte[] bytes = ConfigurationFile.bytes(path);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return new Content(bytes, HexFormat.of().formatHex(digest), Optional.empty());
        } catch (IOException e) {
            return new Content(new byte[0], UNREADABLE, Optional.of(e));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
