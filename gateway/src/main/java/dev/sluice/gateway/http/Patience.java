package dev.sluice.gateway.http;

import java.time.Duration;

/**
 * How long a client may take over its own part.
 *
 * @param body from a request's head to the end of its body
 * @param unread how long an answer may lie unread before the client is given up and its slot released
 * @param idle how long a connection may stay open without a complete head of a request
 * @param linger how long the rest of a refused body is still read, so that the refusal arrives
 */
public record Patience(Duration body, Duration unread, Duration idle, Duration linger) {
    public static final Patience DEFAULT =
            new Patience(Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(75), Duration.ofSeconds(2));
}
