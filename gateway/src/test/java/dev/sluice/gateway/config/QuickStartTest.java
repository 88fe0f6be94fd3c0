package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Without a file")
class QuickStartTest {
    /** Where a gateway may run on this machine is no matter of these tests. */
    private static final Optional<ListenAddress> ANY_PORT = ListenAddress.parse("127.0.0.1:0");

    @TempDir
    private Path folder;

    @Test
    void thePrintedKeyMayUseTheSimulatedModels() {
        QuickStart.Ready ready = ready();

        assertThat(ready.configuration().groups()).singleElement().satisfies(group -> {
            assertThat(group.keys())
                    .extracting(Key::sha256)
                    .containsExactly(ApiKey.sha256(ready.key().reveal()));
            assertThat(group.mayUse("sim-small")).isTrue();
            assertThat(group.mayUse("sim-large")).isTrue();
        });
        assertThat(ready.configuration().models()).extracting(Model::id).containsExactly("sim-small", "sim-large");
        assertThat(ready.configuration().platforms())
                .flatExtracting(Platform::providers)
                .extracting(Provider::upstream)
                .hasSize(3)
                .hasOnlyElementsOfType(Upstream.Simulated.class);
    }

    @Test
    void itListensWhereTheDocumentationSays() {
        assertThat(Configuration.LISTEN).hasToString("127.0.0.1:8080");
        assertThat(Admin.LISTEN).hasToString("127.0.0.1:9090");
    }

    @Test
    void theKeyIsMadeOnceAndKeptForItsOwnerOnly() throws IOException {
        String first = ready().key().reveal();
        Path file = data().resolve("quickstart-key");

        assertThat(ready().key().reveal()).isEqualTo(first);
        assertThat(file).hasContent(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (var files = Files.list(data())) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void permissionsThatWereOpenedAreClosedAgain() throws IOException {
        ready();
        Path file = data().resolve("quickstart-key");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        ready();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void aFileThatHoldsNoKeyIsNotOverwritten() throws IOException {
        Files.createDirectories(data());
        Path file = Files.writeString(data().resolve("quickstart-key"), "something else");

        assertThat(prepare(ANY_PORT, ANY_PORT))
                .isEqualTo(new QuickStart.Refused(file + " holds no key; delete it and a new one is made"));
        assertThat(file).hasContent("something else");
    }

    @Test
    void aFolderThatCannotBeMadeIsARefusal() throws IOException {
        Files.writeString(folder.resolve("data"), "a file");

        assertThat(prepare(ANY_PORT, ANY_PORT)).isInstanceOf(QuickStart.Refused.class);
    }

    @Test
    void otherAddressesOfThisMachineAreTaken() {
        QuickStart prepared = prepare(ListenAddress.parse("[::1]:0"), ListenAddress.parse("localhost:9"));

        assertThat(prepared).isInstanceOfSatisfying(QuickStart.Ready.class, ready -> {
            assertThat(ready.configuration().listen()).hasToString("[::1]:0");
            assertThat(ready.configuration().admin().listen()).hasToString("localhost:9");
        });
    }

    @Test
    void anAddressThatOthersReachIsRefusedAndNoKeyIsMade() {
        assertThat(prepare(ListenAddress.parse("0.0.0.0:8080"), Optional.empty()))
                .isInstanceOfSatisfying(
                        QuickStart.Refused.class,
                        refused -> assertThat(refused.reason()).endsWith("instead of 0.0.0.0:8080"));
        assertThat(prepare(Optional.empty(), ListenAddress.parse("[::]:9090"))).isInstanceOf(QuickStart.Refused.class);
        assertThat(data()).doesNotExist();
    }

    @Test
    void oneAddressForBothPlanesIsRefusedHoweverItIsWrittenAndNoKeyIsMade() throws IOException {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        for (String admin : List.of("127.0.0.1:", "localhost:")) {
            assertThat(prepare(ListenAddress.parse("127.0.0.1:" + port), ListenAddress.parse(admin + port)))
                    .isInstanceOfSatisfying(
                            QuickStart.Refused.class,
                            refused -> assertThat(refused.reason()).contains(admin + port, "give another address"));
        }
        assertThat(data()).doesNotExist();
    }

    private Path data() {
        return folder.resolve("data");
    }

    private QuickStart.Ready ready() {
        return (QuickStart.Ready) prepare(ANY_PORT, ANY_PORT);
    }

    private QuickStart prepare(Optional<ListenAddress> listen, Optional<ListenAddress> adminListen) {
        return QuickStart.prepare(data(), listen, adminListen, new SecureRandom());
    }
}
