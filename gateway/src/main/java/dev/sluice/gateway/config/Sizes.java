package dev.sluice.gateway.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as the file writes them: one whole number and one binary unit, {@code 512KiB}, {@code 16MiB}, {@code 1GiB}. */
final class Sizes {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,9}) ?([A-Za-z]*)");
    private static final Map<String, Long> UNITS = new LinkedHashMap<>();

    static {
        UNITS.put("GiB", 1L << 30);
        UNITS.put("MiB", 1L << 20);
        UNITS.put("KiB", 1L << 10);
    }

    private Sizes() {}

    static Parsed<Long> parse(String text, String shown) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            return new Parsed.Bad<>("must be a size such as `16MiB`, but is `" + shown + "`");
        }
        String unit = matcher.group(2);
        if (unit.isEmpty()) {
            return new Parsed.Bad<>("needs a unit, as in `16MiB`: KiB, MiB or GiB; it is `" + shown + "`");
        }
        Long one = UNITS.get(unit);
        if (one == null) {
            return new Parsed.Bad<>("has an unknown unit in `" + shown + "`; use KiB, MiB or GiB");
        }
        return new Parsed.Good<>(one * Long.parseLong(matcher.group(1)));
    }

    /** In the largest unit that needs no fraction. */
    static String text(long bytes) {
        for (Map.Entry<String, Long> unit : UNITS.entrySet()) {
            if (bytes % unit.getValue() == 0) {
                return bytes / unit.getValue() + unit.getKey();
            }
        }
        throw new IllegalArgumentException("no whole number of KiB: " + bytes);
    }
}
