package dev.sluice.compat;

import java.util.List;
import java.util.Map;

/** A client of Anthropic's own, connected to one address. */
interface MessagesClient {
    /** @param more fields of the body that the client does not check itself */
    Result message(Ask ask, Map<String, Object> more);

    Result stream(Ask ask);

    /** Offers a tool, sends its result, and reads the answer; each of the two requests as a stream or whole. */
    ToolTalk tools(Ask ask, boolean streamed);

    Result countTokens(Ask ask);

    /** Names of the models that the key may use, read page by page. */
    List<String> models(String key);

    /** The name of the model that is asked for, by what the gateway says of it. */
    Result model(Ask ask);
}
