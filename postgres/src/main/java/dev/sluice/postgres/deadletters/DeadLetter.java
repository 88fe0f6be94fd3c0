package dev.sluice.postgres.deadletters;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * Something that failed for good, without what it said.
 *
 * @param id to try it again by: of a task its own, of a message one that is nobody else's
 * @param task the one that failed, or that the message tells of
 * @param webhook the receiver of a message; empty for a task
 * @param model the public name asked for; empty if the task is forgotten
 * @param code why, for programs
 * @param message why, for people
 * @param status that the upstream or the receiver answered last, empty if it did not
 * @param at when it was given up
 * @param retryable whether it can be tried again: a task whose request is not kept any more cannot
 */
public record DeadLetter(
        UUID id,
        UUID task,
        Optional<String> webhook,
        String group,
        Optional<String> model,
        String code,
        String message,
        OptionalInt status,
        int attempts,
        Instant at,
        boolean retryable) {}
