package dev.sluice.gateway.responses;

import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import dev.sluice.postgres.responses.ResponseStore;
import dev.sluice.postgres.responses.StoredResponse;
import java.io.ByteArrayOutputStream;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a request goes on from. */
final class Earlier {
    private static final int SHOWN_MAX = 100;

    /** What there is of it. */
    sealed interface Found {
        /** @param items in a row, without the brackets around them but for {@link #all} */
        record Items(byte[] items) implements Found {}

        record Not(Problem problem) implements Found {}
    }

    private Earlier() {}

    /** All items that a request is to be answered from: of the response before it, and its own in their places. */
    static Found all(ResponseStore store, String group, RequestFields fields, byte[] body) throws SQLException {
        Found before = fields.previous().isPresent()
                ? find(store, group, fields.previous().get())
                : new Found.Items(new byte[0]);
        Found own = fields.refers()
                ? References.resolve(store, group, fields.items(body))
                : new Found.Items(fields.items(body));
        if (before instanceof Found.Items(byte[] first) && own instanceof Found.Items(byte[] second)) {
            return new Found.Items(joined(first, second));
        }
        return before instanceof Found.Not ? before : own;
    }

    private static Found find(ResponseStore store, String group, String id) throws SQLException {
        // PostgreSQL knows no NUL in a text.
        Optional<StoredResponse> found = id.indexOf('\0') >= 0 ? Optional.empty() : store.find(group, id);
        Optional<byte[]> input = found.isEmpty() ? Optional.empty() : store.input(group, id);
        if (found.isEmpty() || input.isEmpty()) {
            return new Found.Not(problem(
                    Fault.PREVIOUS_RESPONSE_NOT_FOUND,
                    "The previous response '" + shown(id)
                            + "' is not there: it was not kept, was deleted, or its time to be kept is over."));
        }
        ObjectNode object = ResponseView.of(found.get());
        if (!ResponseObject.isAnswer(object)) {
            return new Found.Not(problem(
                    Fault.INVALID_REQUEST,
                    "The previous response '" + shown(id) + "' is "
                            + object.path("status").asString("")
                            + ". Only one that has an answer can be gone on from."));
        }
        byte[] own = input.get();
        return new Found.Items(joined(Arrays.copyOfRange(own, 1, own.length - 1), output(object), false));
    }

    private static byte[] output(ObjectNode object) {
        ArrayNode items = Json.array();
        for (JsonNode item : object.path("output")) {
            if (!isForeign(item)) {
                items.add(item);
            }
        }
        byte[] array = Json.bytes(items);
        return Arrays.copyOfRange(array, 1, array.length - 1);
    }

    /** Thoughts that only the upstream that had them could look up, had it kept them. */
    static boolean isForeign(JsonNode item) {
        return item.path("type").asString("").equals("reasoning")
                && item.path("encrypted_content").asString("").isEmpty()
                && item.path("content").isEmpty();
    }

    /** One array of items that come without brackets. */
    static byte[] joined(byte[] first, byte[] second) {
        return joined(first, second, true);
    }

    private static byte[] joined(byte[] first, byte[] second, boolean brackets) {
        var out = new ByteArrayOutputStream(first.length + second.length + 3);
        if (brackets) {
            out.write('[');
        }
        out.writeBytes(first);
        if (!isBlank(first) && !isBlank(second)) {
            out.write(',');
        }
        out.writeBytes(second);
        if (brackets) {
            out.write(']');
        }
        return out.toByteArray();
    }

    private static boolean isBlank(byte[] items) {
        for (byte b : items) {
            if (b > ' ' || b < 0) {
                return false;
            }
        }
        return true;
    }

    private static Problem problem(Fault fault, String message) {
        return Problem.of(fault, message).at("previous_response_id");
    }

    /** An id that somebody sent, as far as it is shown. */
    static String shown(String id) {
        return id.length() <= SHOWN_MAX ? id : id.substring(0, SHOWN_MAX) + "…";
    }
}
