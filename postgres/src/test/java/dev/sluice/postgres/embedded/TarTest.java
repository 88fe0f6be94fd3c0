package dev.sluice.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarTest {
    @TempDir
    Path folder;

    private void unpack(Path archive, Path target) throws IOException {
        try (var in = Files.newInputStream(archive)) {
            Tar.unpack(in, Files.createDirectories(target));
        }
    }

    @Test
    void filesFoldersAndLinksComeOutAsTheyWentIn() throws Exception {
        var source = Files.createDirectories(folder.resolve("source/bin")).getParent();
        Files.writeString(source.resolve("bin/tool"), "x".repeat(70_000));
        Files.writeString(source.resolve("empty"), "");
        Files.writeString(source.resolve("block"), "y".repeat(512));
        Files.createSymbolicLink(source.resolve("bin/alias"), Path.of("tool"));
        Shell.run("chmod", "700", source + "/bin/tool");
        var archive = folder.resolve("a.tar");
        Shell.run("tar", "--format=gnu", "-C", source.toString(), "-cf", archive.toString(), "bin", "empty", "block");

        var target = folder.resolve("target");
        unpack(archive, target);

        assertThat(Shell.run("diff", "-r", source.toString(), target.toString()))
                .isEmpty();
        assertThat(target.resolve("bin/tool")).isExecutable();
        assertThat(Files.isExecutable(target.resolve("block"))).isFalse();
        assertThat(Files.readSymbolicLink(target.resolve("bin/alias"))).hasToString("tool");
    }

    @Test
    void namesAndLinksThatLeadOutAreRefused() throws Exception {
        var inner = Files.createDirectories(folder.resolve("source/inner"));
        Files.writeString(folder.resolve("source/victim"), "");
        Files.createSymbolicLink(inner.resolve("link"), Path.of("../../victim"));
        var byName = folder.resolve("name.tar");
        Shell.run("tar", "-P", "-C", inner.toString(), "-cf", byName.toString(), "../victim");
        var byLink = folder.resolve("link.tar");
        Shell.run("tar", "-C", inner.toString(), "-cf", byLink.toString(), "link");

        assertThatThrownBy(() -> unpack(byName, folder.resolve("target"))).hasMessageContaining("leads out");
        assertThatThrownBy(() -> unpack(byLink, folder.resolve("target"))).hasMessageContaining("leads out");
    }

    @Test
    void aCutArchiveIsRefused() throws Exception {
        var file = Files.writeString(folder.resolve("file"), "x".repeat(5_000));
        var archive = folder.resolve("a.tar");
        Shell.run(
                "tar",
                "-C",
                folder.toString(),
                "-cf",
                archive.toString(),
                file.getFileName().toString());
        Shell.run("truncate", "-s", "2000", archive.toString());

        assertThatThrownBy(() -> unpack(archive, folder.resolve("target"))).hasMessageContaining("ends within file");
    }
}
