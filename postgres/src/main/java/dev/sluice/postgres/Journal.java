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
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
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
     * @param follow is told what operators decided about providers, after the rows that the decision changed
     */
    static List<Change> apply(String entry, Ledger mirror, long now, BiConsumer<String, ProviderState> follow) {
        List<Change> applied = new ArrayList<>();
        for (Item item : read(entry)) {
            switch (item) {
                case Operated operated -> follow.accept(operated.provider(), operated.state());
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
        String writer = "";
        try (JsonParser parser = RowCodec.JSON.createParser(ObjectReadContext.empty(), entry)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                Fields fields = Fields.of(parser);
                if (fields.by != null) {
                    writer = fields.by;
                } else {
                    items.add(fields.item(writer));
                }
            }
        }
        return items;
    }

    /** What stands in one object of an entry. */
    private static final class Fields {
        private @Nullable String by;
        private @Nullable String provider;
        private @Nullable String state;
        private @Nullable String task;
        private @Nullable String cause;
        private @Nullable String why;
        private long waited;
        private @Nullable String holder;
        private @Nullable RowReader row;

        static Fields of(JsonParser parser) {
            Fields fields = new Fields();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "by" -> fields.by = parser.getString();
                    case "provider" -> fields.provider = parser.getString();
                    case "state" -> fields.state = parser.getString();
                    case "task" -> fields.task = parser.getString();
                    case "cause" -> fields.cause = parser.getString();
                    case "why" -> fields.why = parser.getString();
                    case "waited" -> fields.waited = parser.getLongValue();
                    case "holder" -> fields.holder = parser.getString();
                    case "row" -> fields.row = RowReader.of(parser);
                    default -> throw new IllegalStateException("the ledger writes no " + name);
                }
            }
            return fields;
        }

        /** @param writer of the entry, who holds each waiter that names no other */
        Item item(String writer) {
            if (state != null) {
                return new Operated(String.valueOf(provider), ProviderState.valueOf(state));
            }
            UUID id = UUID.fromString(String.valueOf(task));
            Row after = row == null ? null : row.row(id, holder == null ? writer : holder);
            return new Moved(id, Change.Cause.valueOf(String.valueOf(cause)), after, evicted(id));
        }

        private @Nullable Evicted evicted(UUID id) {
            return why == null
                    ? null
                    : new Evicted(
                            id,
                            Eviction.valueOf(why),
                            Optional.empty(),
                            Duration.ofNanos(waited),
                            Duration.ofSeconds(1));
        }
    }
}
