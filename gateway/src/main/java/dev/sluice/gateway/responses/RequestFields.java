package dev.sluice.gateway.responses;

import dev.sluice.gateway.http.InferenceRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The fields of a checked request that the gateway itself acts on, and where they stand. Every other byte of the body
 * stays the client's.
 *
 * @param store empty if it is left to the default
 * @param refers whether the input has items that stand elsewhere
 */
record RequestFields(
        Optional<Boolean> store,
        boolean background,
        boolean conversation,
        Optional<String> previous,
        List<Edit> edits,
        int inputFrom,
        int inputTo,
        boolean inputIsText,
        boolean refers) {
    private static final JsonFactory JSON = JsonFactory.builder().build();
    private static final byte[] STORE_NOT = "\"store\":false,".getBytes(StandardCharsets.US_ASCII);

    /** Bytes in the place of those from {@code from} to before {@code to}. */
    private record Edit(int from, int to, byte[] instead) {
        static Edit of(int from, int to, String instead) {
            return new Edit(from, to, instead.getBytes(StandardCharsets.US_ASCII));
        }

        int growth() {
            return instead.length - (to - from);
        }
    }

    static RequestFields of(byte[] body) {
        Optional<Boolean> store = Optional.empty();
        boolean background = false;
        boolean conversation = false;
        @Nullable String previous = null;
        List<Edit> edits = new ArrayList<>();
        int inputFrom = 0;
        int inputTo = 0;
        boolean inputIsText = false;
        boolean refers = false;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            parser.nextToken();
            int open = Math.toIntExact(parser.currentTokenLocation().getByteOffset()) + 1;
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                int from = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
                switch (name) {
                    case "store" -> {
                        store = value == JsonToken.VALUE_NULL
                                ? Optional.empty()
                                : Optional.of(value == JsonToken.VALUE_TRUE);
                        if (value != JsonToken.VALUE_FALSE) {
                            edits.add(Edit.of(from, from + 4, "false"));
                        }
                    }
                    case "background" -> {
                        background = value == JsonToken.VALUE_TRUE;
                        if (background) {
                            edits.add(Edit.of(from, from + 4, "false"));
                        }
                    }
                    case "conversation" -> {
                        conversation = value != JsonToken.VALUE_NULL;
                        parser.skipChildren();
                    }
                    case "previous_response_id" -> {
                        if (value == JsonToken.VALUE_STRING) {
                            previous = parser.getString();
                            edits.add(Edit.of(from, end(parser), "null"));
                        }
                    }
                    case "input" -> {
                        inputIsText = value == JsonToken.VALUE_STRING;
                        if (value == JsonToken.START_ARRAY) {
                            refers = refers(parser);
                        }
                        parser.skipChildren();
                        parser.finishToken();
                        inputFrom = from;
                        inputTo = end(parser);
                    }
                    default -> parser.skipChildren();
                }
                if (name.equals("store")) {
                    open = -1;
                }
            }
            if (open >= 0) {
                edits.addFirst(new Edit(open, open, STORE_NOT));
            }
        }
        return new RequestFields(
                store,
                background,
                conversation,
                Optional.ofNullable(previous),
                List.copyOf(edits),
                inputFrom,
                inputTo,
                inputIsText,
                refers);
    }

    /** Reads an array to its end. */
    private static boolean refers(JsonParser parser) {
        boolean refers = false;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                refers |= isReference(parser);
            }
            parser.skipChildren();
        }
        return refers;
    }

    /** Reads an object to its end. */
    private static boolean isReference(JsonParser parser) {
        boolean isReference = false;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean isType = parser.currentName().equals("type");
            boolean isText = parser.nextToken() == JsonToken.VALUE_STRING;
            isReference |= isType && isText && parser.getString().equals(References.TYPE);
            parser.skipChildren();
        }
        return isReference;
    }

    private static int end(JsonParser parser) {
        return Math.toIntExact(parser.currentLocation().getByteOffset());
    }

    /** The input as items, without the brackets around them; may be blank. */
    byte[] items(byte[] body) {
        byte[] own = Arrays.copyOfRange(body, inputFrom, inputTo);
        if (!inputIsText) {
            return Arrays.copyOfRange(own, 1, own.length - 1);
        }
        var out = new ByteArrayOutputStream(own.length + 80);
        out.writeBytes("{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":"
                .getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(own);
        out.writeBytes("}]}".getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }

    /**
     * The request for an upstream, which knows nothing of other answers and is to keep none.
     *
     * @param input an array in the place of the client's; empty leaves that
     */
    InferenceRequest toUpstream(InferenceRequest request, Optional<byte[]> input) {
        List<Edit> all = new ArrayList<>(edits);
        input.ifPresent(items -> all.add(new Edit(inputFrom, inputTo, items)));
        all.sort((a, b) -> Integer.compare(a.from, b.from));
        byte[] body = request.body();
        var out = new ByteArrayOutputStream(
                body.length + all.stream().mapToInt(Edit::growth).sum());
        int copied = 0;
        int shift = 0;
        for (Edit edit : all) {
            out.write(body, copied, edit.from - copied);
            out.writeBytes(edit.instead);
            copied = edit.to;
            if (edit.from < request.modelFrom()) {
                shift += edit.growth();
            }
        }
        out.write(body, copied, body.length - copied);
        return new InferenceRequest(
                request.model(),
                request.stream(),
                request.modelFrom() + shift,
                request.modelTo() + shift,
                out.toByteArray());
    }
}
