package dev.sluice.gateway.responses;

/** What a gateway without a database says of whatever would have to be kept. */
final class NothingKept {
    private NothingKept() {}

    /** @param what a client asked for */
    static String reason(String what) {
        return "This gateway keeps its queue in memory, and no responses. For '" + what
                + "' set database.mode to embedded or external.";
    }
}
