package dev.sluice.gateway.upstream;

import dev.sluice.gateway.translation.AnswerTranslation;
import dev.sluice.gateway.translation.BrokenAnswer;
import dev.sluice.gateway.translation.StreamTranslation;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer on its way back: a stream is translated as it comes, anything else when it is complete. */
final class TranslatedAnswer {
    private static final CharSequence X_UNTRANSLATED = HttpHeaders.createOptimized("x-untranslated");
    private static final String EVENT_STREAM = "text/event-stream";
    private static final int HELD_BYTES_MAX = 64 << 20;

    /** What is ready for the client. */
    sealed interface Part {
        record Bytes(Buffer ready) implements Part {}

        /** @param detail for people */
        record Broken(String detail) implements Part {}
    }

    private static final Part NOTHING = new Part.Bytes(Buffer.buffer());

    private final AnswerTranslation translation;
    private final String setAside;
    private final Buffer held = Buffer.buffer();
    private int status;
    private @Nullable StreamTranslation stream;

    /** @param setAside what the client is told that it was left out */
    TranslatedAnswer(AnswerTranslation translation, String setAside) {
        this.translation = translation;
        this.setAside = setAside;
    }

    MultiMap head(int answered, MultiMap theirs) {
        status = answered;
        String type = theirs.get(HttpHeaders.CONTENT_TYPE);
        boolean events = type != null && type.regionMatches(true, 0, EVENT_STREAM, 0, EVENT_STREAM.length());
        if (events && status < 300) {
            stream = translation.stream();
        }
        MultiMap ours = HttpHeaders.headers();
        for (Map.Entry<String, String> header : theirs) {
            ours.add(header.getKey(), header.getValue());
        }
        ours.remove(HttpHeaders.CONTENT_LENGTH);
        ours.set(HttpHeaders.CONTENT_TYPE, stream == null ? "application/json" : "text/event-stream; charset=utf-8");
        return setAside.isEmpty() ? ours : ours.set(X_UNTRANSLATED, setAside);
    }

    Part chunk(Buffer bytes) {
        StreamTranslation open = stream;
        if (open != null) {
            try {
                return new Part.Bytes(open.chunk(bytes));
            } catch (BrokenAnswer broken) {
                return new Part.Broken(broken.detail());
            }
        }
        if (held.length() + bytes.length() > HELD_BYTES_MAX) {
            return new Part.Broken("it is larger than " + HELD_BYTES_MAX + " bytes");
        }
        held.appendBuffer(bytes);
        return NOTHING;
    }

    Part end() {
        try {
            StreamTranslation open = stream;
            if (open != null) {
                return new Part.Bytes(open.end());
            }
            return new Part.Bytes(status >= 300 ? translation.error(status, held) : translation.whole(held));
        } catch (BrokenAnswer broken) {
            return new Part.Broken(broken.detail());
        }
    }
}
