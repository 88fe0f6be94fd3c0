package dev.sluice.gateway.http;

import java.time.Duration;

/**
 * How long the others may take over their part.
 *
 * @param body from a request's head to the end of its body
 * @param unread how long an answer may lie unread before the client is given up and its slot released
 * @param idle how long a connection may stay open without a complete head of a request
 * @param linger how long the rest of a refused body is still read, so that the refusal arrives
 * @param parting how long an upstream may take to notice that we gave a request up, before its connection is reset and
 *     its slot released: a departed client's slot must be free within a second
 */
public record Patience(Duration body, Duration unread, Duration idle, Duration linger, Duration parting) {
    public static final Patience DEFAULT = new Patience(
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(75),
            Duration.ofSeconds(10),
            Duration.ofMillis(500));
}
