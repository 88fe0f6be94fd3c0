package dev.sluice.gateway.anthropic;

import dev.sluice.gateway.http.Catalogue;
import dev.sluice.gateway.http.Dialect;
import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code GET /v1/models} for clients of Anthropic, which all say the version of the API that they speak. */
public final class ModelPages implements Catalogue {
    private static final int LIMIT = 20;
    private static final int LIMIT_MAX = 1_000;
    // The API's own word for a date that is not known.
    private static final String EPOCH = "1970-01-01T00:00:00Z";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Dialect dialect;

    public ModelPages(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public boolean isMeant(MultiMap headers) {
        return headers.contains("anthropic-version");
    }

    @Override
    public Dialect dialect() {
        return dialect;
    }

    @Override
    public Listing list(List<String> models, MultiMap query) {
        String limit = Optional.ofNullable(query.get("limit")).orElse(Integer.toString(LIMIT));
        if (!limit.matches("[0-9]{1,4}") || Integer.parseInt(limit) < 1 || Integer.parseInt(limit) > LIMIT_MAX) {
            return wrong("limit", "'limit' must be a whole number from 1 to " + LIMIT_MAX + ".");
        }
        Optional<String> after = Optional.ofNullable(query.get("after_id"));
        Optional<String> before = Optional.ofNullable(query.get("before_id"));
        if (after.isPresent() && before.isPresent()) {
            return wrong("before_id", "A page has either 'after_id' or 'before_id'.");
        }
        List<String> all = listed(query) ? models : List.of();
        // Without the model that a page is next to, an empty page would look like the end of the list.
        for (String id : Stream.concat(after.stream(), before.stream()).toList()) {
            if (!all.contains(id)) {
                return wrong(
                        after.isPresent() ? "after_id" : "before_id", "There is no model of this name in the list.");
            }
        }
        int most = Integer.parseInt(limit);
        int to = before.map(all::indexOf).orElse(all.size());
        int from = after.map(id -> all.indexOf(id) + 1).orElse(before.isPresent() ? Math.max(0, to - most) : 0);
        int end = Math.min(to, from + most);
        return new Listing.Page(page(all.subList(from, end), before.isPresent() ? from > 0 : end < to));
    }

    /** What is configured is in service; a list of what is not has nothing in it. */
    private static boolean listed(MultiMap query) {
        List<String> stages = Stream.of("lifecycle", "lifecycle[]")
                .flatMap(name -> query.getAll(name).stream())
                .toList();
        return stages.isEmpty() || stages.contains("active");
    }

    private static Buffer page(List<String> models, boolean more) {
        ObjectNode page = JsonNodeFactory.instance.objectNode();
        ArrayNode data = page.putArray("data");
        models.forEach(model -> data.add(entry(model)));
        page.put("has_more", more)
                .put("first_id", models.isEmpty() ? null : models.getFirst())
                .put("last_id", models.isEmpty() ? null : models.getLast());
        return Buffer.buffer(JSON.writeValueAsBytes(page));
    }

    @Override
    public Buffer one(String model) {
        return Buffer.buffer(JSON.writeValueAsBytes(entry(model)));
    }

    /** A gateway knows a model's name; what its provider's API would say beside it is null, as that API allows. */
    private static ObjectNode entry(String model) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", "model")
                .put("id", model)
                .put("display_name", model)
                .put("created_at", EPOCH)
                .put("lifecycle", "active")
                .putNull("line")
                .putNull("capabilities")
                .putNull("max_input_tokens")
                .putNull("max_tokens")
                .putNull("deprecated_at")
                .putNull("retires_at");
    }

    private static Listing wrong(String field, String message) {
        return new Listing.Wrong(Problem.of(Fault.INVALID_REQUEST, message).at(field));
    }
}
