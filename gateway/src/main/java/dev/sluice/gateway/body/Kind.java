package dev.sluice.gateway.body;

/** What the value of a field may be; the words complete "The field 'x' must be …". */
public enum Kind {
    BOOLEAN("a boolean"),
    WHOLE("a whole number"),
    NUMBER("a number"),
    STRING("a string"),
    OBJECT("an object"),
    ARRAY("an array"),
    STRING_OR_ARRAY("a string or an array"),
    /** At least one element, and each an object. */
    OBJECTS("an array");

    final String words;

    Kind(String words) {
        this.words = words;
    }
}
