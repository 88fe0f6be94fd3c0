package dev.sluice.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {
    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, false, linux-amd64, postgres-linux-x86_64.txz",
        "Linux, amd64, true, linux-amd64-alpine, postgres-linux-x86_64-alpine_linux.txz",
        "Linux, aarch64, false, linux-arm64v8, postgres-linux-arm_64.txz",
        "Mac OS X, x86_64, false, darwin-amd64, postgres-darwin-x86_64.txz",
        "Mac OS X, aarch64, false, darwin-arm64v8, postgres-darwin-arm_64.txz"
    })
    void eachMachineHasItsArchive(String os, String arch, boolean musl, String artefact, String archive) {
        assertThat(Platform.of(os, arch, musl)).contains(new Platform(artefact, archive));
    }

    @ParameterizedTest
    @CsvSource({"Linux, aarch64, true", "Linux, riscv64, false", "Windows 11, amd64, false", "FreeBSD, amd64, false"})
    void otherMachinesHaveNone(String os, String arch, boolean musl) {
        assertThat(Platform.of(os, arch, musl)).isEmpty();
    }
}
