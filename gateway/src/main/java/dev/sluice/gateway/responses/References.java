package dev.sluice.gateway.responses;

import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.responses.Earlier.Found;
import dev.sluice.postgres.responses.ResponseStore;
import dev.sluice.postgres.responses.StoredResponse;
import java.io.ByteArrayOutputStream;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Items of earlier answers that a request names instead of sending them again. An upstream would not know them. */
final class References {
    static final String TYPE = "item_reference";
    private static final int BYTES_MAX = 64 << 20;
    private static final int ID_LENGTH_MAX = 512;

    private final ResponseStore store;
    private final String group;
    private final Map<String, JsonNode> items = new HashMap<>();

    private References(ResponseStore store, String group) {
        this.store = store;
        this.group = group;
    }

    /** By what names the items of an answer can be found again. */
    static List<String> ids(ObjectNode answer) {
        return answer.path("output")
                .valueStream()
                .map(item -> item.path("id").asString(""))
                .filter(References::isId)
                .distinct()
                .toList();
    }

    /** PostgreSQL knows no NUL in a text. */
    private static boolean isId(String id) {
        return !id.isEmpty() && id.length() <= ID_LENGTH_MAX && id.indexOf('\0') < 0;
    }

    /** @param input items without brackets around them, in the place of some a reference */
    static Found resolve(ResponseStore store, String group, byte[] input) throws SQLException {
        ArrayNode asked = Json.array(Earlier.joined(new byte[0], input)).orElseThrow();
        return new References(store, group).resolve(asked);
    }

    private Found resolve(ArrayNode asked) throws SQLException {
        find(asked);
        var out = new ByteArrayOutputStream();
        for (int i = 0; i < asked.size(); i++) {
            JsonNode item = asked.get(i);
            if (isReference(item)) {
                String id = item.path("id").asString("");
                @Nullable JsonNode found = items.get(id);
                if (found == null) {
                    return not(
                            i,
                            Fault.INVALID_REQUEST,
                            "The item '" + Earlier.shown(id) + "' is not there: its response was not kept, was deleted,"
                                    + " or its time to be kept is over. Send the item itself.");
                }
                if (Earlier.isForeign(found)) {
                    continue;
                }
                item = found;
            }
            // Each thing that is named twice is sent twice, so only what comes of it can be bounded.
            if (out.size() > BYTES_MAX) {
                return not(i, Fault.REQUEST_TOO_LARGE, "With the items that it names, the request is too large.");
            }
            if (out.size() > 0) {
                out.write(',');
            }
            out.writeBytes(Json.bytes(item));
        }
        return new Found.Items(out.toByteArray());
    }

    private void find(ArrayNode asked) throws SQLException {
        Set<String> ids = asked.valueStream()
                .filter(References::isReference)
                .map(item -> item.path("id").asString(""))
                .filter(References::isId)
                .collect(Collectors.toSet());
        if (!ids.isEmpty()) {
            for (StoredResponse response : store.holding(group, ids)) {
                for (JsonNode item : ResponseView.of(response).path("output")) {
                    items.putIfAbsent(item.path("id").asString(""), item);
                }
            }
        }
    }

    private static boolean isReference(JsonNode item) {
        return item.path("type").asString("").equals(TYPE);
    }

    private static Found not(int index, Fault fault, String message) {
        return new Found.Not(Problem.of(fault, message).at("input[" + index + "]"));
    }
}
