package dev.sluice.gateway.openai;

import dev.sluice.gateway.http.Catalogue;
import dev.sluice.gateway.http.Dialect;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.io.JsonStringEncoder;

/** {@code GET /v1/models}: all models, in one piece, for whoever does not say that he speaks another API. */
public final class ModelList implements Catalogue {
    // The official clients require a date; a gateway does not know when a model was made.
    private static final String CREATED = "0";

    private final Dialect dialect;

    public ModelList(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public boolean isMeant(MultiMap headers) {
        return true;
    }

    @Override
    public Dialect dialect() {
        return dialect;
    }

    @Override
    public Listing list(List<String> models, MultiMap query) {
        return new Listing.Page(Buffer.buffer(models.stream()
                .map(ModelList::entry)
                .collect(Collectors.joining(",", "{\"object\":\"list\",\"data\":[", "]}"))));
    }

    @Override
    public Buffer one(String model) {
        return Buffer.buffer(entry(model));
    }

    private static String entry(String model) {
        String id = new String(JsonStringEncoder.getInstance().quoteAsCharArray(model));
        return "{\"id\":\"" + id + "\",\"object\":\"model\",\"created\":" + CREATED + ",\"owned_by\":\"sluice\"}";
    }
}
