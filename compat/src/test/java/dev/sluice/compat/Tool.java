package dev.sluice.compat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** A program that the machine must have. */
enum Tool {
    NODE("nodejs"),
    NPM("npm");

    private final String debianPackage;

    Tool(String debianPackage) {
        this.debianPackage = debianPackage;
    }

    Path find() {
        return findIn(System.getenv("PATH"));
    }

    Path findIn(String path) {
        String program = name().toLowerCase(Locale.ROOT);
        return Arrays.stream(path.split(File.pathSeparator))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("The program '" + program
                        + "' is missing, which the tests of the official Node.js client need. On Debian: apt-get"
                        + " install " + debianPackage));
    }
}
