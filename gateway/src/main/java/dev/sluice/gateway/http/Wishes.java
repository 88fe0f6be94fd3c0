package dev.sluice.gateway.http;

import dev.sluice.admission.MaxWait;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What the request's own headers ask of the queue. */
record Wishes(
        OptionalInt priority,
        MaxWait maxWait,
        Optional<String> idempotencyKey,
        boolean async,
        Optional<String> webhook) {
    static final String PRIORITY = "x-sluice-priority";
    static final String MAX_WAIT = "x-sluice-max-wait";
    static final String IDEMPOTENCY_KEY = "idempotency-key";
    static final String PREFER = "prefer";
    static final String WEBHOOK = "x-sluice-webhook";
    static final Wishes NONE =
            new Wishes(OptionalInt.empty(), MaxWait.INHERIT, Optional.empty(), false, Optional.empty());

    private static final int PRIORITY_MAX = 1_000_000;
    private static final int KEY_LENGTH_MAX = 255;
    private static final int SECONDS_DIGITS_MAX = 9;

    /** Why a header is refused; a value, thrown to keep the reading flat. */
    static final class BadHeader extends Exception {
        private static final long serialVersionUID = 1;
        private final transient Problem problem;

        BadHeader(String header, String message) {
            super(message, null, false, false);
            problem = Problem.of(Fault.INVALID_HEADER, message).at(header);
        }

        Problem problem() {
            return problem;
        }
    }

    static Wishes of(MultiMap headers) throws BadHeader {
        String priority = headers.get(PRIORITY);
        String wait = headers.get(MAX_WAIT);
        String key = headers.get(IDEMPOTENCY_KEY);
        String webhook = headers.get(WEBHOOK);
        boolean async = headers.contains(PREFER) && prefersAsync(headers.getAll(PREFER));
        if (priority == null && wait == null && key == null && webhook == null && !async) {
            return NONE;
        }
        return new Wishes(
                priority == null ? OptionalInt.empty() : OptionalInt.of(priority(priority)),
                wait == null ? MaxWait.INHERIT : maxWait(wait),
                key == null ? Optional.empty() : Optional.of(key(key)),
                async,
                Optional.ofNullable(webhook));
    }

    /** RFC 7240: a list of preferences, each with parameters that do not matter here. */
    private static boolean prefersAsync(List<String> values) {
        for (String value : values) {
            for (String preference : value.split(",", -1)) {
                int parameters = preference.indexOf(';');
                String name = parameters < 0 ? preference : preference.substring(0, parameters);
                if (name.strip().equalsIgnoreCase("respond-async")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int priority(String text) throws BadHeader {
        int value = digits(text, 7) ? Integer.parseInt(text) : -1;
        if (value < 0 || value > PRIORITY_MAX) {
            throw new BadHeader(
                    PRIORITY, PRIORITY + " must be a whole number from 0 to " + PRIORITY_MAX + "; lower runs sooner.");
        }
        return value;
    }

    private static MaxWait maxWait(String text) throws BadHeader {
        int point = text.indexOf('.');
        String whole = point < 0 ? text : text.substring(0, point);
        String part = point < 0 ? "0" : text.substring(point + 1);
        if (!digits(whole, SECONDS_DIGITS_MAX) || !digits(part, 3)) {
            throw new BadHeader(
                    MAX_WAIT,
                    MAX_WAIT
                            + " must be seconds, with at most three decimals; 0 means that the request is not queued.");
        }
        long millis = Long.parseLong(whole) * 1_000 + Long.parseLong((part + "00").substring(0, 3));
        return MaxWait.atMost(Duration.ofMillis(millis));
    }

    private static String key(String text) throws BadHeader {
        boolean visible = !text.isEmpty() && text.length() <= KEY_LENGTH_MAX;
        for (int i = 0; visible && i < text.length(); i++) {
            visible = text.charAt(i) > ' ' && text.charAt(i) < 0x7f;
        }
        if (!visible) {
            throw new BadHeader(
                    IDEMPOTENCY_KEY, IDEMPOTENCY_KEY + " must be 1 to 255 visible ASCII characters without spaces.");
        }
        return text;
    }

    private static boolean digits(String text, int lengthMax) {
        if (text.isEmpty() || text.length() > lengthMax) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
