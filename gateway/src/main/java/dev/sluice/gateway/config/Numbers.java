package dev.sluice.gateway.config;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Numbers as the file writes them: decimal digits, no exponent, no leading zeros, no separators. */
final class Numbers {
    private static final Pattern WHOLE = Pattern.compile("-?(?:0|[1-9]\\d{0,17})");
    private static final Pattern DECIMAL = Pattern.compile("-?(?:0|[1-9]\\d{0,11})(?:\\.\\d{1,9})?");

    private Numbers() {}

    static Parsed<Long> whole(String text, String shown) {
        return WHOLE.matcher(text).matches()
                ? new Parsed.Good<>(Long.parseLong(text))
                : new Parsed.Bad<>("must be a whole number, but is `" + shown + "`");
    }

    static Parsed<BigDecimal> decimal(String text, String shown) {
        return DECIMAL.matcher(text).matches()
                ? new Parsed.Good<>(new BigDecimal(text))
                : new Parsed.Bad<>("must be a number, but is `" + shown + "`");
    }

    /** A decimal with at most three places as whole thousandths. */
    static Parsed<Long> thousandths(String text, String shown) {
        return switch (decimal(text, shown)) {
            case Parsed.Bad<BigDecimal>(String complaint) -> new Parsed.Bad<>(complaint);
            case Parsed.Good<BigDecimal>(BigDecimal value) ->
                value.stripTrailingZeros().scale() > 3
                        ? new Parsed.Bad<>("has more than three decimals in `" + shown + "`")
                        : new Parsed.Good<>(value.movePointRight(3).longValueExact());
        };
    }
}
