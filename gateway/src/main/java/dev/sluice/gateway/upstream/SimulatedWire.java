package dev.sluice.gateway.upstream;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import tools.jackson.core.io.JsonStringEncoder;

/** The bytes of simulated answers in one API. */
interface SimulatedWire {
    /** @param tokens how many tokens are generated before it is sent */
    record Event(int tokens, Buffer bytes) {}

    Buffer whole(SimulatedText text);

    /** The events of a stream, in order. */
    List<Event> stream(SimulatedText text, int tokensPerChunk);

    static String quote(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsCharArray(text)) + "\"";
    }
}
