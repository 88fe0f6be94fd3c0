package dev.sluice.gateway.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as the file writes them: one whole number and one unit, {@code 500ms}, {@code 60s}, {@code 2m}, {@code 24h}. */
final class Durations {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,9}) ?([A-Za-z]*)");
    private static final Map<String, Duration> UNITS = new LinkedHashMap<>();

    static {
        UNITS.put("h", Duration.ofHours(1));
        UNITS.put("m", Duration.ofMinutes(1));
        UNITS.put("s", Duration.ofSeconds(1));
        UNITS.put("ms", Duration.ofMillis(1));
    }

    private Durations() {}

    static Parsed<Duration> parse(String text, String shown) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            return new Parsed.Bad<>("must be a duration such as `60s`, but is `" + shown + "`");
        }
        String unit = matcher.group(2);
        if (unit.isEmpty()) {
            return new Parsed.Bad<>("needs a unit, as in `60s`: ms, s, m or h; it is `" + shown + "`");
        }
        Duration one = UNITS.get(unit);
        if (one == null) {
            return new Parsed.Bad<>("has an unknown unit in `" + shown + "`; use ms, s, m or h");
        }
        return new Parsed.Good<>(one.multipliedBy(Long.parseLong(matcher.group(1))));
    }

    /** In the largest unit that needs no fraction. */
    static String text(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        for (Map.Entry<String, Duration> unit : UNITS.entrySet()) {
            if (duration.toMillis() % unit.getValue().toMillis() == 0) {
                return duration.toMillis() / unit.getValue().toMillis() + unit.getKey();
            }
        }
        throw new IllegalArgumentException("finer than a millisecond: " + duration);
    }
}
