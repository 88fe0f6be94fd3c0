package dev.sluice.compat;

import java.util.List;

/** A client of OpenAI's own, which knows more than chats. */
interface OpenAiClient extends Client {
    /** Names of the models that the key may use. */
    List<String> models(String key);

    Result completion(Ask ask);

    Result completionStream(Ask ask);

    /** @param format {@code float}, {@code base64}, or empty for what the client asks for by itself */
    List<Float> embedding(Ask ask, int dimensions, String format);
}
