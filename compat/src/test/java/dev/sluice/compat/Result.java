package dev.sluice.compat;

/** What a client hands to its user. */
sealed interface Result {
    /**
     * @param pieces in how many parts the text came
     * @param finish why the text ends
     */
    record Answered(String text, int pieces, String finish) implements Result {}

    /**
     * @param kind simple name of the client's exception
     * @param status 0 where the exception has none; {@code code}, {@code type} and {@code param} are then empty likewise
     */
    record Failed(String kind, int status, String code, String type, String param) implements Result {}
}
