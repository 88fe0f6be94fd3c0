package dev.sluice.compat;

/**
 * A tool that was offered and called, and the answer to its result.
 *
 * @param tool its name
 * @param input the field {@code gate} of what it was called with
 * @param text what the model said to the result
 */
record ToolTalk(String tool, String input, String text) {
    static final String TOOL = "level";
    static final String ABOUT = "Reads the level before a gate";
    static final String FIELD = "gate";
    static final String RESULT = "3 m";
    static final int TOKENS_MAX = 200;
}
