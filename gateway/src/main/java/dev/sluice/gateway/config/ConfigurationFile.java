package dev.sluice.gateway.config;

import dev.sluice.admission.Reserve;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a configuration from YAML. Never throws for what a file holds: each fault is named. */
public final class ConfigurationFile {
    private final String name;
    private final Environment environment;
    private final Set<Pending> pending;

    ConfigurationFile(String name, Environment environment, Set<Pending> pending) {
        this.name = name;
        this.environment = environment;
        this.pending = pending;
    }

    public static Verdict read(Path file, Environment environment) {
        String name = file.toString();
        try {
            return parse(name, bytes(file), environment);
        } catch (IOException e) {
            return unreadable(name, e);
        }
    }

    /** @param name how messages call the file */
    public static Verdict parse(String name, String yaml, Environment environment) {
        return parse(name, yaml.getBytes(StandardCharsets.UTF_8), environment);
    }

    static Verdict parse(String name, byte[] content, Environment environment) {
        return new ConfigurationFile(name, environment, Pending.NOW)
                .parse(content)
                .verdict();
    }

    /** The content, or one byte more than the bound: a device or a mistaken path must not fill the memory. */
    static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(YamlText.SIZE_MAX + 1);
        }
    }

    static Verdict unreadable(String name, IOException e) {
        String reason = e instanceof NoSuchFileException ? "the file does not exist" : "the file cannot be read";
        return new Verdict.Faulty(List.of(new FileFault(name, 1, reason)));
    }

    /** What came of it, and every key that was looked for with its default. */
    record Parse(Verdict verdict, Map<String, String> known) {}

    Parse parse(byte[] content) {
        Faults faults = new Faults(name);
        Reading reading = new Reading(faults, environment, pending);
        Optional<Configuration> configuration = YamlText.root(content, faults)
                .flatMap(node -> Section.root(reading, node))
                .map(ConfigurationFile::read);
        reading.references().resolve();
        Verdict verdict = configuration
                .filter(read -> faults.none())
                .<Verdict>map(Verdict.Loaded::new)
                .orElseGet(() -> new Verdict.Faulty(faults.byLine()));
        return new Parse(verdict, reading.known());
    }

    private static Configuration read(Section file) {
        try (file) {
            Configuration read = new Configuration(
                    SettingsReader.listen(file, Configuration.LISTEN),
                    SettingsReader.admin(file),
                    DatabaseReader.read(file),
                    PlatformReader.read(file),
                    ModelReader.read(file),
                    GroupReader.read(file),
                    SettingsReader.workers(file),
                    SettingsReader.dispatch(file),
                    SettingsReader.queueing(file),
                    SettingsReader.http(file),
                    FilesReader.files(file),
                    FilesReader.batches(file),
                    WebhookReader.settings(file));
            if (read.listen().equals(read.admin().listen()) && read.listen().port() != 0) {
                file.fault(
                        file.has("admin") ? "admin" : "listen",
                        "must not listen at the same address as the data plane");
            }
            if (read.queueing().ordering() == Queueing.Ordering.STRICT && reserves(read)) {
                file.fault(
                        "queueing",
                        "asks for `ordering: strict`, which serves one line; `reserve` needs work-conserving");
            }
            return read;
        }
    }

    private static boolean reserves(Configuration read) {
        return read.platforms().stream()
                .flatMap(platform -> platform.providers().stream())
                .anyMatch(provider -> !provider.reserve().equals(Reserve.NONE));
    }
}
