package dev.sluice.gateway.responses;

import dev.sluice.gateway.http.InferenceRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            return new Reader(parser).read();
        }
    }

    /** Goes over the fields of the outermost object once. */
    private static final class Reader {
        private final JsonParser parser;
        private final List<Edit> edits = new ArrayList<>();
        private Optional<Boolean> store = Optional.empty();
        private boolean storeIsSaid;
        private boolean background;
        private boolean conversation;
        private Optional<String> previous = Optional.empty();
        private int inputFrom;
        private int inputTo;
        private boolean inputIsText;
        private boolean refers;

        Reader(JsonParser parser) {
            this.parser = parser;
        }

        RequestFields read() {
            parser.nextToken();
            int open = begin() + 1;
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                switch (name) {
                    case "store" -> store(value);
                    case "background" -> background(value);
                    case "conversation" -> {
                        conversation = value != JsonToken.VALUE_NULL;
                        parser.skipChildren();
                    }
                    case "previous_response_id" -> previous(value);
                    case "input" -> input(value);
                    default -> parser.skipChildren();
                }
            }
            if (!storeIsSaid) {
                edits.addFirst(new Edit(open, open, STORE_NOT));
            }
            return new RequestFields(
                    store,
                    background,
                    conversation,
                    previous,
                    List.copyOf(edits),
                    inputFrom,
                    inputTo,
                    inputIsText,
                    refers);
        }

        private void store(JsonToken value) {
            storeIsSaid = true;
            store = value == JsonToken.VALUE_NULL ? Optional.empty() : Optional.of(value == JsonToken.VALUE_TRUE);
            if (value != JsonToken.VALUE_FALSE) {
                // true and null are of the same length.
                edits.add(Edit.of(begin(), begin() + 4, "false"));
            }
        }

        private void background(JsonToken value) {
            background = value == JsonToken.VALUE_TRUE;
            if (background) {
                edits.add(Edit.of(begin(), begin() + 4, "false"));
            }
        }

        private void previous(JsonToken value) {
            if (value == JsonToken.VALUE_STRING) {
                int from = begin();
                previous = Optional.of(parser.getString());
                edits.add(Edit.of(from, end(), "null"));
            }
        }

        private void input(JsonToken value) {
            inputFrom = begin();
            inputIsText = value == JsonToken.VALUE_STRING;
            if (value == JsonToken.START_ARRAY) {
                refers = refers();
            }
            parser.skipChildren();
            parser.finishToken();
            inputTo = end();
        }

        /** Reads an array to its end. */
        private boolean refers() {
            boolean any = false;
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (parser.currentToken() == JsonToken.START_OBJECT) {
                    any |= isReference();
                }
                parser.skipChildren();
            }
            return any;
        }

        /** Reads an object to its end. */
        private boolean isReference() {
            boolean isReference = false;
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isType = parser.currentName().equals("type");
                boolean isText = parser.nextToken() == JsonToken.VALUE_STRING;
                isReference |= isType && isText && parser.getString().equals(References.TYPE);
                parser.skipChildren();
            }
            return isReference;
        }

        private int begin() {
            return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
        }

        private int end() {
            return Math.toIntExact(parser.currentLocation().getByteOffset());
        }
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
