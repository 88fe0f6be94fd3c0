package dev.sluice.compat;

import java.util.List;

/** An official client library, connected to one address. */
interface Client {
    Result chat(Ask ask);

    Result stream(Ask ask);

    /** Names of the models that the key may use. */
    List<String> models(String key);
}
