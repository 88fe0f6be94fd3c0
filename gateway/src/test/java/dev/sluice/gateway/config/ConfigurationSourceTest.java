package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The configuration in force")
class ConfigurationSourceTest {
    private static final String CHANGED = Example.FULL.replace("limit: 10,", "limit: 11,");
    private static final String BROKEN = Example.FULL.replace("limit: 10,", "limit: x,");

    @TempDir
    private Path folder;

    private Path file;
    private final List<Configuration> told = new ArrayList<>();
    /** Time as the test moves it: what is to run at each tick. */
    private final List<Runnable> ticks = new ArrayList<>();

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("sluice.yaml"), Example.FULL);
    }

    @Test
    void isThatOfTheFile() {
        assertThat(open().current()).isEqualTo(Example.good(Example.FULL));
    }

    @Test
    void isNotOpenedFromABrokenFile() throws IOException {
        Files.writeString(file, BROKEN);

        assertThat(ConfigurationSource.open(file, Example.ENVIRONMENT, UnaryOperator.identity()))
                .isInstanceOfSatisfying(
                        ConfigurationSource.Opening.Refused.class,
                        refused -> assertThat(refused.faults())
                                .singleElement()
                                .hasToString(file + ":49: `limit` must be a whole number, but is `x`"));
    }

    @Test
    void changesAsAWholeOnReloadAndListenersAreToldAfterwards() throws IOException {
        ConfigurationSource source = open();
        source.addListener(
                (before, after) -> assertThat(source.current()).isSameAs(after).isNotEqualTo(before));
        Files.writeString(file, CHANGED);

        Reload reload = source.reload();

        Configuration expected = Example.good(CHANGED);
        assertThat(reload).isEqualTo(new Reload.Accepted(expected, true, List.of()));
        assertThat(source.current()).isEqualTo(expected);
        assertThat(told).containsExactly(expected);
        assertThat(source.counts()).isEqualTo(new ConfigurationSource.Counts(1, 0));
    }

    @Test
    void doesNotChangeOnABadFileWhichIsCounted() throws IOException {
        ConfigurationSource source = open();
        Configuration before = source.current();
        Files.writeString(file, BROKEN);

        assertThat(source.reload())
                .isInstanceOfSatisfying(
                        Reload.Refused.class,
                        refused -> assertThat(refused.faults()).hasSize(1));

        assertThat(source.current()).isSameAs(before);
        assertThat(told).isEmpty();
        assertThat(source.counts()).isEqualTo(new ConfigurationSource.Counts(0, 1));
    }

    @Test
    void doesNotChangeWhenTheFileIsGone() throws IOException {
        ConfigurationSource source = open();
        Files.delete(file);

        assertThat(source.reload()).isInstanceOf(Reload.Refused.class);
        assertThat(source.current()).isEqualTo(Example.good(Example.FULL));
    }

    @Test
    void tellsNobodyWhenAReloadFindsTheSame() throws IOException {
        ConfigurationSource source = open();
        Files.writeString(file, Example.FULL + "# a comment\n");

        assertThat(source.reload()).isEqualTo(new Reload.Accepted(source.current(), false, List.of()));

        assertThat(told).isEmpty();
        assertThat(source.counts()).isEqualTo(new ConfigurationSource.Counts(1, 0));
    }

    @Test
    void keepsWhatNeedsARestartAndNamesTheKeysAtEachReloadUntilThen() throws IOException {
        ConfigurationSource source = open();
        Files.writeString(
                file,
                CHANGED.replace("127.0.0.1:8080", "127.0.0.1:8081")
                        .replace("127.0.0.1:9090", "127.0.0.1:9091")
                        .replace("max-header-size: 16KiB", "max-header-size: 32KiB"));

        List<String> keys = List.of("listen", "admin.listen", "http.max-header-size");
        assertThat(source.reload()).isEqualTo(new Reload.Accepted(Example.good(CHANGED), true, keys));
        assertThat(source.reload()).isEqualTo(new Reload.Accepted(Example.good(CHANGED), false, keys));
    }

    @Test
    void keepsWhatTheCommandLineSaid() throws IOException {
        ListenAddress data = new ListenAddress("127.0.0.1", 0);
        ListenAddress admin = new ListenAddress("127.0.0.1", 1);
        ConfigurationSource source = open(read -> read.listeningAt(data, admin));
        Files.writeString(file, CHANGED.replace("127.0.0.1:8080", "127.0.0.1:8081"));

        assertThat(source.reload())
                .isEqualTo(new Reload.Accepted(Example.good(CHANGED).listeningAt(data, admin), true, List.of()));
    }

    @Test
    void aListenerThatFailsDoesNotKeepTheOthersFromBeingTold() throws IOException {
        ConfigurationSource source = ((ConfigurationSource.Opening.Opened)
                        ConfigurationSource.open(file, Example.ENVIRONMENT, UnaryOperator.identity()))
                .source();
        source.addListener((before, after) -> {
            throw new IllegalStateException("a bug");
        });
        source.addListener((before, after) -> told.add(after));
        Files.writeString(file, CHANGED);

        assertThat(source.reload()).isInstanceOf(Reload.Accepted.class);
        assertThat(told).containsExactly(Example.good(CHANGED));
    }

    @Test
    void changesByItselfOnceAChangeIsSeenTwiceInARow() throws IOException {
        ConfigurationSource source = watched();
        Files.writeString(file, CHANGED);

        tick();
        assertThat(told).isEmpty();
        tick();
        assertThat(told).containsExactly(source.current());
        tick();
        tick();
        assertThat(told).hasSize(1);
        assertThat(source.counts()).isEqualTo(new ConfigurationSource.Counts(1, 0));
    }

    @Test
    void doesNotTakeAFileThatIsStillBeingWritten() throws IOException {
        ConfigurationSource source = watched();
        // Cut before the second group, the file is a good one.
        String half = CHANGED.substring(0, CHANGED.indexOf("  - id: guests"));
        assertThat(Example.good(half).groups()).hasSize(1);

        Files.writeString(file, half);
        tick();
        Files.writeString(file, CHANGED);
        tick();
        tick();

        assertThat(told).containsExactly(Example.good(CHANGED));
        assertThat(source.counts()).isEqualTo(new ConfigurationSource.Counts(1, 0));
    }

    @Test
    void countsABadFileOnceHoweverLongItStays() throws IOException {
        ConfigurationSource source = watched();
        Files.writeString(file, BROKEN);
        for (int i = 0; i < 5; i++) {
            tick();
        }
        assertThat(source.counts()).isEqualTo(new ConfigurationSource.Counts(0, 1));

        Files.writeString(file, CHANGED);
        tick();
        tick();
        assertThat(told).containsExactly(Example.good(CHANGED));
        assertThat(source.counts()).isEqualTo(new ConfigurationSource.Counts(1, 1));
    }

    @Test
    void seesAFileRenamedIntoPlaceThatKeepsTheOldTimeAndSize() throws IOException {
        watched();
        Path aside = Files.writeString(folder.resolve("sluice.yaml.new"), CHANGED);
        Files.setLastModifiedTime(aside, Files.getLastModifiedTime(file));
        assertThat(Files.size(aside)).isEqualTo(Files.size(file));
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);

        tick();
        tick();

        assertThat(told).containsExactly(Example.good(CHANGED));
    }

    @Test
    void seesALinkThatIsSwappedAsVolumesDo() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        Files.writeString(one.resolve("sluice.yaml"), Example.FULL);
        Files.writeString(two.resolve("sluice.yaml"), CHANGED);
        Path data = Files.createSymbolicLink(folder.resolve("data"), one);
        Files.delete(file);
        Files.createSymbolicLink(file, data.resolve("sluice.yaml"));
        watched();

        Files.move(Files.createSymbolicLink(folder.resolve("data_tmp"), two), data, StandardCopyOption.ATOMIC_MOVE);
        tick();
        tick();

        assertThat(told).containsExactly(Example.good(CHANGED));
    }

    @Test
    void isNoLongerWatchedOnceTheWatchIsClosed() throws IOException {
        ConfigurationSource source = open();
        source.watch(this::every, Duration.ofSeconds(1)).close();
        Files.writeString(file, CHANGED);

        tick();
        tick();

        assertThat(told).isEmpty();
    }

    @Test
    void staysAsItIsWhereThereIsNoFile() {
        Configuration fixed = Example.good(Example.LEAST);
        ConfigurationSource source = ConfigurationSource.fixed(fixed);
        source.watch(this::every, Duration.ofSeconds(1));

        tick();

        assertThat(source.reload()).isEqualTo(new Reload.Accepted(fixed, false, List.of()));
    }

    private ConfigurationSource watched() {
        ConfigurationSource source = open();
        source.watch(this::every, Duration.ofSeconds(1));
        return source;
    }

    private Ticker.Ticking every(Duration period, Runnable task) {
        ticks.add(task);
        return () -> ticks.remove(task);
    }

    private void tick() {
        List.copyOf(ticks).forEach(Runnable::run);
    }

    private ConfigurationSource open() {
        return open(UnaryOperator.identity());
    }

    private ConfigurationSource open(UnaryOperator<Configuration> overrides) {
        return switch (ConfigurationSource.open(file, Example.ENVIRONMENT, overrides)) {
            case ConfigurationSource.Opening.Opened(ConfigurationSource source) -> {
                source.addListener((before, after) -> told.add(after));
                yield source;
            }
            case ConfigurationSource.Opening.Refused(List<FileFault> faults) ->
                throw new AssertionError("not opened: " + faults);
        };
    }
}
