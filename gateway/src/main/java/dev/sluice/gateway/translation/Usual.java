package dev.sluice.gateway.translation;

import java.math.BigDecimal;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** Values that ask for what happens anyway, so that nothing is lost when they are left out. */
final class Usual {
    static final Predicate<JsonNode> ZERO =
            value -> value.isNumber() && value.decimalValue().signum() == 0;
    static final Predicate<JsonNode> ONE =
            value -> value.isNumber() && value.decimalValue().compareTo(BigDecimal.ONE) == 0;
    static final Predicate<JsonNode> FALSE = value -> value.isBoolean() && !value.booleanValue();
    static final Predicate<JsonNode> TRUE = value -> value.isBoolean() && value.booleanValue();
    static final Predicate<JsonNode> EMPTY = value -> value.isContainer() && value.isEmpty();

    private Usual() {}

    static Predicate<JsonNode> word(String word) {
        return value -> Json.text(value).equals(word);
    }
}
