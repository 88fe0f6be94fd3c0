package dev.sluice.postgres;

import dev.sluice.admission.Change;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Ledger;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Row;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/**
 * What a batch tells the other holders: for each change its cause and the row after it. The row before is what the
 * reader's mirror has.
 */
final class Journal {
    private Journal() {}

    /** @param operated what operators decided about providers in the batch */
    static String write(List<Change> changes, Map<String, ProviderState> operated) {
        StringWriter text = new StringWriter(256 * changes.size());
        try (JsonGenerator json = RowCodec.JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartArray();
            for (Change change : changes) {
                json.writeStartObject();
                json.writeStringProperty("cause", change.cause().name());
                json.writeStringProperty("task", change.task().toString());
                Evicted evicted = change.evicted();
                if (evicted != null) {
                    json.writeStringProperty("why", evicted.reason().name());
                    json.writeNumberProperty("waited", evicted.waited().toNanos());
                }
                Row after = change.after();
                if (after != null) {
                    String holder = Effects.holder(after.ask());
                    if (holder != null) {
                        json.writeStringProperty("holder", holder);
                    }
                    json.writeName("row");
                    RowCodec.write(json, after);
                }
                json.writeEndObject();
            }
            operated.forEach((provider, state) -> {
                json.writeStartObject();
                json.writeStringProperty("provider", provider);
                json.writeStringProperty("state", state.name());
                json.writeEndObject();
            });
            json.writeEndArray();
        }
        return text.toString();
    }

    /**
     * Applies journal entries of others to a mirror; the changes, for the claims.
     *
     * @param operate is told what operators decided about providers, after the rows that the decision changed
     */
    static List<Change> applyAll(
            List<String> entries, Ledger mirror, long now, BiConsumer<String, ProviderState> operate) {
        List<Change> applied = new ArrayList<>();
        entries.forEach(entry -> apply(entry, mirror, now, operate, applied));
        return applied;
    }

    private static void apply(
            String entry, Ledger mirror, long now, BiConsumer<String, ProviderState> operate, List<Change> applied) {
        for (Object item : JsonMap.parseList(entry)) {
            @SuppressWarnings("unchecked")
            Map<String, Object> json = (Map<String, Object>) item;
            if (json.get("state") instanceof String state) {
                operate.accept(String.valueOf(json.get("provider")), ProviderState.valueOf(state));
                continue;
            }
            UUID task = UUID.fromString((String) json.get("task"));
            @SuppressWarnings("unchecked")
            Map<String, Object> row = (Map<String, Object>) json.get("row");
            Row before = mirror.row(task).orElse(null);
            Row after = row == null ? null : RowCodec.read(task, (String) json.get("holder"), row);
            if (before == null && after == null) {
                continue;
            }
            Change change = new Change(
                    before, after, Change.Cause.valueOf(String.valueOf(json.get("cause"))), evicted(task, json));
            mirror.apply(change, now);
            applied.add(change);
        }
    }

    private static @Nullable Evicted evicted(UUID task, Map<String, Object> json) {
        if (!(json.get("why") instanceof String why)) {
            return null;
        }
        Duration waited = Duration.ofNanos((Long) json.getOrDefault("waited", 0L));
        return new Evicted(task, Eviction.valueOf(why), Optional.empty(), waited, Duration.ofSeconds(1));
    }
}
