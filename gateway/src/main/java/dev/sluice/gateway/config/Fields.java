package dev.sluice.gateway.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The values of a section by type. A value that is wrong becomes a fault and is read as its default, or as the lowest
 * value it may have, so that reading goes on to the next fault.
 */
final class Fields {
    private final Section section;

    Fields(Section section) {
        this.section = section;
    }

    int whole(String key, Range<Integer> range, int byDefault) {
        return optionalWhole(key, range, Integer.toString(byDefault)).orElse(byDefault);
    }

    int requiredWhole(String key, Range<Integer> range) {
        Optional<Integer> value = optionalWhole(key, range, "required");
        require(key);
        return value.orElse(range.min());
    }

    Optional<Integer> optionalWhole(String key, Range<Integer> range, String defaultText) {
        Range<Long> wide = Range.of((long) range.min(), (long) range.max());
        return read(key, defaultText, Numbers::whole, wide, String::valueOf).map(Math::toIntExact);
    }

    long wholeLong(String key, Range<Long> range, long byDefault) {
        return read(key, Long.toString(byDefault), Numbers::whole, range, String::valueOf)
                .orElse(byDefault);
    }

    double decimal(String key, Range<Double> range, double byDefault) {
        Range<BigDecimal> exact = Range.of(BigDecimal.valueOf(range.min()), BigDecimal.valueOf(range.max()));
        return read(key, plain(BigDecimal.valueOf(byDefault)), Numbers::decimal, exact, Fields::plain)
                .map(BigDecimal::doubleValue)
                .orElse(byDefault);
    }

    long thousandths(String key, Range<Long> range, long byDefault) {
        Function<Long, String> print = value -> plain(BigDecimal.valueOf(value, 3));
        return read(key, print.apply(byDefault), Numbers::thousandths, range, print)
                .orElse(byDefault);
    }

    Duration duration(String key, Range<Duration> range, Duration byDefault) {
        return read(key, Durations.text(byDefault), Durations::parse, range, Durations::text)
                .orElse(byDefault);
    }

    long size(String key, Range<Long> range, long byDefault) {
        return read(key, Sizes.text(byDefault), Sizes::parse, range, Sizes::text)
                .orElse(byDefault);
    }

    Optional<Long> optionalSize(String key, Range<Long> range, String defaultText) {
        return read(key, defaultText, Sizes::parse, range, Sizes::text);
    }

    boolean flag(String key, boolean byDefault) {
        return choice(key, List.of("true", "false"), Boolean.toString(byDefault))
                .equals("true");
    }

    /** One of the constants, written in lower case with hyphens. */
    <E extends Enum<E>> E choice(String key, Class<E> type, E byDefault) {
        return chosen(key, type, byDefault).orElse(byDefault);
    }

    /** As {@link #choice(String, Class, Enum)}, but empty where another word stands, which is complained of. */
    <E extends Enum<E>> Optional<E> chosen(String key, Class<E> type, E byDefault) {
        List<E> constants = Arrays.asList(type.getEnumConstants());
        List<String> words = constants.stream().map(Fields::word).toList();
        return chosen(key, words, word(byDefault)).map(words::indexOf).map(constants::get);
    }

    String choice(String key, List<String> words, String byDefault) {
        return chosen(key, words, byDefault).orElse(byDefault);
    }

    private Optional<String> chosen(String key, List<String> words, String byDefault) {
        Optional<Value> value = section.value(key, byDefault);
        if (value.isPresent() && !words.contains(value.get().text())) {
            String shown = value.get().shown();
            complain(
                    value.get(),
                    "must be " + String.join(" or ", words) + ", but is `" + shown + "`" + Nearest.hint(shown, words));
            return Optional.empty();
        }
        return value.map(Value::text).or(() -> Optional.of(byDefault));
    }

    Optional<String> text(String key, String defaultText) {
        return section.value(key, defaultText)
                .filter(value -> {
                    boolean label = Names.isLabel(value.text());
                    if (!label) {
                        complain(
                                value,
                                "must be 1 to " + Names.LENGTH_MAX
                                        + " printable characters without blanks around them");
                    }
                    return label;
                })
                .map(Value::text);
    }

    /** A secret; empty text means none. Its value is in no message. */
    Optional<Secret> secret(String key) {
        return section.value(key, "none")
                .filter(value -> {
                    // It goes into a header: a line break there would be a header of its own.
                    boolean printable = value.text().chars().allMatch(c -> c > 0x20 && c < 0x7f);
                    if (!printable) {
                        complain(value, "must be visible ASCII characters without blanks");
                    }
                    return printable && !value.text().isEmpty();
                })
                .map(value -> new Secret(value.text()));
    }

    /** Says so if a key that has no default is absent. */
    void require(String key) {
        if (!section.has(key)) {
            section.missing(key);
        }
    }

    void complain(Value value, String complaint) {
        section.reading().fault(value.line(), "`" + value.key() + "` " + complaint);
    }

    private <T extends Comparable<T>> Optional<T> read(
            String key,
            String defaultText,
            BiFunction<String, String, Parsed<T>> parser,
            Range<T> range,
            Function<T, String> print) {
        return section.value(key, defaultText).flatMap(value -> switch (parser.apply(value.text(), value.shown())) {
            case Parsed.Bad<T>(String complaint) -> {
                complain(value, complaint);
                yield Optional.empty();
            }
            case Parsed.Good<T>(T good) -> {
                if (!range.contains(good)) {
                    complain(
                            value,
                            "must be between " + print.apply(range.min()) + " and " + print.apply(range.max())
                                    + ", but is `" + value.shown() + "`");
                    yield Optional.empty();
                }
                yield Optional.of(good);
            }
        });
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String plain(BigDecimal value) {
        return value.stripTrailingZeros().toPlainString();
    }
}
