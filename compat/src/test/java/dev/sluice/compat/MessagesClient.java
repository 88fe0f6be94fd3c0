package dev.sluice.compat;

import java.util.Map;

/** A client of Anthropic's own, connected to one address. */
interface MessagesClient {
    /**
     * @param tool the name of the tool that the model called
     * @param input the field {@code gate} of what it called it with
     * @param text what it said to the result
     */
    record ToolTalk(String tool, String input, String text) {}

    /** @param more fields of the body that the client does not check itself */
    Result message(Ask ask, Map<String, Object> more);

    Result stream(Ask ask);

    /** Offers a tool, sends its result, and reads the answer; each of the two requests as a stream or whole. */
    ToolTalk tools(Ask ask, boolean streamed);

    Result countTokens(Ask ask);
}
