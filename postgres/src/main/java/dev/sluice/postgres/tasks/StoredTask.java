package dev.sluice.postgres.tasks;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * A task as it is kept.
 *
 * @param attempts how often its execution was begun
 * @param started when its first execution began
 * @param response the upstream's answer, absent while there is none and after it was purged
 */
public record StoredTask(
        UUID id,
        String owner,
        State state,
        int attempts,
        Instant created,
        Optional<Instant> started,
        Optional<Instant> finished,
        Optional<Failure> failure,
        Optional<Answer> response) {

    /** Where a task is in its life; only the last three are final. */
    public enum State {
        QUEUED,
        RUNNING,
        SUCCEEDED,
        FAILED,
        CANCELLED;

        /** As clients and the database have it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        public boolean isFinal() {
            return this != QUEUED && this != RUNNING;
        }
    }

    /**
     * Why it failed, in the words of the error table.
     *
     * @param type for example {@code api_error}
     * @param code for example {@code upstream_error}
     */
    public record Failure(String type, String code, String message) {
        public Failure {
            // PostgreSQL keeps no NUL in a text.
            message = message.replace('\0', ' ');
        }
    }

    /**
     * What an upstream answered.
     *
     * @param type the media type, may be empty
     */
    public record Answer(int status, String type, byte[] body) {
        public Answer {
            type = type.replace('\0', ' ');
        }
    }
}
