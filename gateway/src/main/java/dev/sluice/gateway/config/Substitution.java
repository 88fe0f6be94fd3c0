package dev.sluice.gateway.config;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces {@code ${ENV:NAME}} and {@code ${ENV:NAME:-default}} in a value; as in a shell, the default
 * also replaces an empty variable. What comes in is plain text: it is never read as YAML nor searched again. Two dollars
 * before a brace stand for one that is no reference.
 */
final class Substitution {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)(})?");
    private static final Pattern INSIDE = Pattern.compile("ENV:([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?", Pattern.DOTALL);

    private Substitution() {}

    static Parsed<String> replace(String text, Environment environment) {
        StringBuilder out = new StringBuilder();
        Matcher reference = REFERENCE.matcher(text);
        int done = 0;
        while (reference.find()) {
            out.append(text, done, reference.start());
            done = reference.end();
            if (reference.group().equals("$${")) {
                out.append("${");
                continue;
            }
            switch (lookUp(reference, environment)) {
                case Parsed.Good<String>(String value) -> out.append(value);
                case Parsed.Bad<String> bad -> {
                    return bad;
                }
            }
        }
        return new Parsed.Good<>(out.append(text, done, text.length()).toString());
    }

    private static Parsed<String> lookUp(Matcher reference, Environment environment) {
        Matcher inside = INSIDE.matcher(reference.group(1));
        if (reference.group(2) == null || !inside.matches()) {
            return new Parsed.Bad<>(
                    "has `${` that is no reference; write ${ENV:NAME} or ${ENV:NAME:-default}, or $${ for the characters");
        }
        String name = inside.group(1);
        String fallback = inside.group(2);
        return environment
                .variable(name)
                .filter(value -> fallback == null || !value.isEmpty())
                .or(() -> Optional.ofNullable(fallback))
                .<Parsed<String>>map(Parsed.Good::new)
                .orElseGet(() -> new Parsed.Bad<>("needs the environment variable " + name
                        + ", which is not set; set it or write ${ENV:" + name + ":-default}"));
    }
}
