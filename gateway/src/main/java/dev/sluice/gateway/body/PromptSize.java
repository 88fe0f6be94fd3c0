package dev.sluice.gateway.body;

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
public final class PromptSize {
    private static final JsonFactory JSON = JsonFactory.builder().build();
    private static final int TOKENS_PER_MESSAGE = 4;
    /**
     * So much is counted at a time: a long run without a break takes time and memory out of all proportion, and nothing
     * is counted beyond the threshold.
     */
    private static final int PIECE_CHARS = 1_024;

    /** What is not text, however long it is. */
    private static final Set<String> MEDIA = Set.of("url", "data", "file_data", "image_url");

    /** The vocabulary takes about a second to load, and is never needed by many. */
    private static final class Vocabulary {
        private static final EncodingRegistry REGISTRY = Encodings.newLazyEncodingRegistry();

        static Encoding get() {
            return REGISTRY.getEncoding(EncodingType.O200K_BASE);
        }
    }

    private final Set<String> fields;
    private final Set<String> sequences;

    private PromptSize(Set<String> fields, Set<String> sequences) {
        this.fields = fields;
        this.sequences = sequences;
    }

    /** @param fields those whose strings are text; an element of {@code messages} takes some tokens more */
    public static PromptSize ofTexts(String... fields) {
        return new PromptSize(Set.of(fields), Set.of());
    }

    /**
     * @param field a string, strings, tokens, or arrays of tokens: what of these comes in one request counts together,
     *     since it runs together
     */
    public static PromptSize ofSequences(String field) {
        return new PromptSize(Set.of(field), Set.of(field));
    }

    public Size of(byte[] body, int threshold) {
        if (threshold == 0 || body.length < threshold) {
            return Size.SHORT;
        }
        return new Size.Count(() -> isLong(body, threshold));
    }

    /** Not on an event loop: reads the whole body, and may count. */
    boolean isLong(byte[] body, int threshold) {
        List<String> texts = new ArrayList<>();
        long overhead = collect(body, texts);
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
            for (int from = 0; from < text.length(); ) {
                int to = pieceEnd(text, from);
                tokens += vocabulary.countTokensOrdinary(text.substring(from, to));
                if (tokens >= threshold) {
                    return true;
                }
                from = to;
            }
        }
        return false;
    }

    /** Before a space if there is one, since a token may begin with a space but does not go on after one. */
    static int pieceEnd(String text, int from) {
        int end = from + PIECE_CHARS;
        if (end >= text.length()) {
            return text.length();
        }
        int space = text.lastIndexOf(' ', end);
        if (space > from) {
            return space;
        }
        return Character.isLowSurrogate(text.charAt(end)) ? end - 1 : end;
    }

    /** Gathers the texts; returns how many tokens there are beside them. */
    private long collect(byte[] body, List<String> texts) {
        long tokens = 0;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (!fields.contains(name)) {
                    parser.skipChildren();
                } else if (value == JsonToken.VALUE_STRING) {
                    texts.add(parser.getString());
                } else if (value == JsonToken.START_ARRAY) {
                    Items items = texts(parser, texts);
                    tokens += name.equals("messages") ? (long) items.objects * TOKENS_PER_MESSAGE : 0;
                    tokens += sequences.contains(name) ? items.numbers : 0;
                } else {
                    parser.skipChildren();
                }
            }
        }
        return tokens;
    }

    /**
     * @param objects elements that are objects or arrays
     * @param numbers whole numbers at any depth
     */
    private record Items(int objects, int numbers) {}

    private static Items texts(JsonParser parser, List<String> texts) {
        int depth = 0;
        int objects = 0;
        int numbers = 0;
        String field = "";
        while (true) {
            JsonToken token = parser.nextToken();
            if (token == JsonToken.PROPERTY_NAME) {
                field = parser.currentName();
            } else if (token == JsonToken.VALUE_STRING && !MEDIA.contains(field)) {
                texts.add(parser.getString());
            } else if (token == JsonToken.VALUE_NUMBER_INT) {
                numbers++;
            } else if (token.isStructStart()) {
                objects += depth == 0 ? 1 : 0;
                depth++;
            } else if (token.isStructEnd()) {
                if (depth == 0) {
                    return new Items(objects, numbers);
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
