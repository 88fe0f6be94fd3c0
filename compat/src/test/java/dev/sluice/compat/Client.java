package dev.sluice.compat;

/** An official client library, connected to one address. */
interface Client {
    Result chat(Ask ask);

    Result stream(Ask ask);

    /** Offers a tool, sends its result, and reads the answer. */
    ToolTalk tools(Ask ask);

    /** The field {@code gate} of an answer whose shape the client asked for. */
    String structured(Ask ask);
}
