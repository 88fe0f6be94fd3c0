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
 * What a batch decided, as the journal keeps it: for each change its cause and the row after it. The row before is what
 * the reader has: another holder's mirror, or the tables as of the last fold.
 */
final class Journal {
    private Journal() {}

    /**
     * @param self the holder who writes it; named once, and left out of his own waiters
     * @param operated what operators decided about providers in the batch
     */
    static String write(List<Change> changes, String self, Map<String, ProviderState> operated) {
        StringWriter text = new StringWriter(256 * changes.size());
        try (JsonGenerator json = RowCodec.JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartArray();
            json.writeStartObject();
            json.writeStringProperty("by", self);
            json.writeEndObject();
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
                    if (holder != null && !holder.equals(self)) {
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

    /** What one item of an entry says: a change of a row, or an operator's decision. */
    private sealed interface Item {}

    private record Moved(
            UUID task,
            Change.Cause cause,
            @Nullable Row after,
            @Nullable Evicted evicted) implements Item {}

    private record Operated(String provider, ProviderState state) implements Item {}

    /** Whether an entry says that the tables have everything up to it. */
    static boolean isFold(String entry) {
        return entry.isEmpty();
    }

    /**
     * Applies an entry of others to a mirror; the changes, for the claims.
     *
     * @param operate is told what operators decided about providers, after the rows that the decision changed
     */
    static List<Change> apply(String entry, Ledger mirror, long now, BiConsumer<String, ProviderState> operate) {
        List<Change> applied = new ArrayList<>();
        for (Item item : read(entry)) {
            switch (item) {
                case Operated operated -> operate.accept(operated.provider(), operated.state());
                case Moved moved -> {
                    Row before = mirror.row(moved.task()).orElse(null);
                    if (before != null || moved.after() != null) {
                        Change change = new Change(before, moved.after(), moved.cause(), moved.evicted());
                        mirror.apply(change, now);
                        applied.add(change);
                    }
                }
            }
        }
        return applied;
    }

    /** Brings rows that were read from the tables up to an entry written since; the changes. */
    static List<Change> replay(String entry, Map<UUID, Row> rows) {
        List<Change> replayed = new ArrayList<>();
        for (Item item : read(entry)) {
            // What operators decided is in its own table by the same transaction.
            if (item instanceof Moved moved) {
                Row after = moved.after();
                Row before = after == null ? rows.remove(moved.task()) : rows.put(moved.task(), after);
                if (before != null || after != null) {
                    replayed.add(new Change(before, after, moved.cause(), moved.evicted()));
                }
            }
        }
        return replayed;
    }

    private static List<Item> read(String entry) {
        List<Item> items = new ArrayList<>();
        String self = "";
        for (Object item : JsonMap.parseList(entry)) {
            @SuppressWarnings("unchecked")
            Map<String, Object> json = (Map<String, Object>) item;
            if (json.get("by") instanceof String writer) {
                self = writer;
                continue;
            }
            if (json.get("state") instanceof String state) {
                items.add(new Operated(String.valueOf(json.get("provider")), ProviderState.valueOf(state)));
                continue;
            }
            UUID task = UUID.fromString((String) json.get("task"));
            @SuppressWarnings("unchecked")
            Map<String, Object> row = (Map<String, Object>) json.get("row");
            Row after = row == null ? null : RowCodec.read(task, (String) json.getOrDefault("holder", self), row);
            Change.Cause cause = Change.Cause.valueOf(String.valueOf(json.get("cause")));
            items.add(new Moved(task, cause, after, evicted(task, json)));
        }
        return items;
    }

    private static @Nullable Evicted evicted(UUID task, Map<String, Object> json) {
        if (!(json.get("why") instanceof String why)) {
            return null;
        }
        Duration waited = Duration.ofNanos((Long) json.getOrDefault("waited", 0L));
        return new Evicted(task, Eviction.valueOf(why), Optional.empty(), waited, Duration.ofSeconds(1));
    }
}
