package dev.sluice.gateway.openai;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import dev.sluice.gateway.http.Api.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Whether a prompt has at least so many tokens. A token stands for at least one byte, and no token spans two words, so
 * the size of the body and the number of its words bound the answer; only between the bounds are tokens counted, with
 * the {@code o200k_base} vocabulary.
 */
final class PromptSize {
    private static final JsonFactory JSON = JsonFactory.builder().build();
    private static final int TOKENS_PER_MESSAGE = 4;
    /** What is not text, however long it is. */
    private static final Set<String> MEDIA = Set.of("url", "data", "file_data", "image_url");

    /** The vocabulary takes about a second to load, and is never needed by many. */
    private static final class Vocabulary {
        private static final EncodingRegistry REGISTRY = Encodings.newLazyEncodingRegistry();

        static Encoding get() {
            return REGISTRY.getEncoding(EncodingType.O200K_BASE);
        }
    }

    private PromptSize() {}

    static Size of(byte[] body, int threshold) {
        if (threshold == 0 || body.length < threshold) {
            return Size.SHORT;
        }
        return new Size.Count(() -> isLong(body, threshold));
    }

    /** Not on an event loop: reads the whole body, and may count. */
    static boolean isLong(byte[] body, int threshold) {
        List<String> texts = new ArrayList<>();
        int messages = collect(body, texts);
        long overhead = (long) messages * TOKENS_PER_MESSAGE;
        long lower = overhead;
        long upper = overhead;
        for (String text : texts) {
            lower += words(text);
            upper += utf8Bytes(text);
        }
        if (lower >= threshold || upper < threshold) {
            return lower >= threshold;
        }
        Encoding vocabulary = Vocabulary.get();
        long tokens = overhead;
        for (String text : texts) {
            tokens += vocabulary.countTokensOrdinary(text);
            if (tokens >= threshold) {
                return true;
            }
        }
        return false;
    }

    /** Gathers the texts of messages and tools; returns how many messages there are. */
    private static int collect(byte[] body, List<String> texts) {
        int messages = 0;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                boolean prompt = name.equals("messages") || name.equals("tools") || name.equals("functions");
                if (prompt && value == JsonToken.START_ARRAY) {
                    int items = texts(parser, texts);
                    messages += name.equals("messages") ? items : 0;
                } else {
                    parser.skipChildren();
                }
            }
        }
        return messages;
    }

    private static int texts(JsonParser parser, List<String> texts) {
        int depth = 0;
        int items = 0;
        String field = "";
        while (true) {
            JsonToken token = parser.nextToken();
            if (token == JsonToken.PROPERTY_NAME) {
                field = parser.currentName();
            } else if (token == JsonToken.VALUE_STRING && !MEDIA.contains(field)) {
                texts.add(parser.getString());
            } else if (token.isStructStart()) {
                items += depth == 0 ? 1 : 0;
                depth++;
            } else if (token.isStructEnd()) {
                if (depth == 0) {
                    return items;
                }
                depth--;
            }
        }
    }

    /**
     * Runs of ASCII letters. Whatever else there is may belong to the same token as a letter before or after it, so it
     * neither ends a run nor begins one, except space and line break, which end one.
     */
    static int words(CharSequence text) {
        int words = 0;
        boolean inWord = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (letter && !inWord) {
                words++;
                inWord = true;
            } else if (c == ' ' || c == '\n') {
                inWord = false;
            }
        }
        return words;
    }

    private static long utf8Bytes(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // A surrogate is half of a character of four bytes.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
