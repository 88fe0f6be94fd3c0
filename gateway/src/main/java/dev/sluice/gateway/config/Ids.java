package dev.sluice.gateway.config;

import dev.sluice.gateway.config.References.Kind;
import java.util.Optional;
import java.util.function.Predicate;

/** The {@code id} of a section, and the ids that its values name. */
final class Ids {
    private static final String ID_RULE = "must be letters, digits, `.`, `_` or `-`, beginning with a letter or digit";
    private static final String MODEL_RULE =
            "must be letters, digits or any of `._:/@+-`, beginning with a letter or digit";

    private final Section section;
    private final Fields fields;

    Ids(Section section) {
        this.section = section;
        this.fields = new Fields(section);
    }

    /** Reads the key {@code id}, which must be given, and declares it. */
    Optional<String> declare(Kind kind) {
        Optional<Value> id = section.value("id", "required");
        fields.require("id");
        // A malformed id is declared too: who names it makes no second mistake.
        id.ifPresent(value -> section.reading().references().declare(kind, value));
        return id.filter(value -> wellFormed(kind, value)).map(Value::text);
    }

    /** Reads a key that must name something declared anywhere in the file. */
    Optional<String> use(Kind kind, String key) {
        Optional<Value> id = section.value(key, "required");
        fields.require(key);
        return id.map(value -> use(kind, value));
    }

    String use(Kind kind, Value value) {
        section.reading().references().use(kind, value);
        return value.text();
    }

    private boolean wellFormed(Kind kind, Value value) {
        Predicate<String> rule = kind == Kind.MODEL ? Names::isModelId : Names::isId;
        if (!rule.test(value.text())) {
            fields.complain(value, (kind == Kind.MODEL ? MODEL_RULE : ID_RULE) + ", but is `" + value.shown() + "`");
            return false;
        }
        return true;
    }
}
