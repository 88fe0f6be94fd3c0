package dev.sluice.postgres.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How to start the embedded database.
 *
 * @param home the folder that holds everything; made when it is missing
 * @param user the operating system's user that the server becomes when the gateway is started by root (setting {@code
 *     database.user}); empty: {@code postgres} if there is one, else {@code nobody}
 * @param progress gets one line of plain text before each step that takes time; called from several threads
 * @param startTimeout how long the server may take to come up, recovery after a crash included; at least 1 s
 * @param stopTimeout how long {@link EmbeddedPostgres#close} waits for an orderly end before it cuts the server off; at
 *     least 1 s
 */
public record Options(
        Path home, Optional<String> user, Consumer<String> progress, Duration startTimeout, Duration stopTimeout) {
    public Options {
        Objects.requireNonNull(home);
        Objects.requireNonNull(progress);
        user.ifPresent(name -> require(!name.isBlank(), "an empty user"));
        require(startTimeout.toSeconds() >= 1, "startTimeout below 1 s: " + startTimeout);
        require(stopTimeout.toSeconds() >= 1, "stopTimeout below 1 s: " + stopTimeout);
    }

    /** Everything in {@code home}, the user chosen by itself, silent, 5 minutes to start and 1 to stop. */
    public static Options in(Path home) {
        return new Options(home, Optional.empty(), line -> {}, Duration.ofMinutes(5), Duration.ofMinutes(1));
    }

    public Options withUser(String name) {
        return new Options(home, Optional.of(name), progress, startTimeout, stopTimeout);
    }

    public Options withProgress(Consumer<String> listener) {
        return new Options(home, user, listener, startTimeout, stopTimeout);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
