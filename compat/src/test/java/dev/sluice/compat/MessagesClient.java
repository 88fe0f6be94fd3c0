package dev.sluice.compat;

import java.util.Map;

/** A client of Anthropic's own, connected to one address. */
interface MessagesClient {
    /** @param more fields of the body that the client does not check itself */
    Result message(Ask ask, Map<String, Object> more);

    Result stream(Ask ask);

    /** Offers a tool, sends its result, and reads the answer; each of the two requests as a stream or whole. */
    ToolTalk tools(Ask ask, boolean streamed);

    Result countTokens(Ask ask);
}
