package dev.sluice.postgres;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Grant;
import dev.sluice.admission.Lease;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Placement;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Row;
import dev.sluice.admission.Scope;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A row as one line of JSON: what the tables keep as its body and the journal tells the other holders. Every byte of it is
 * written twice and flushed, so what stands beside it (the task and the holder of its waiter) and defaults are left out,
 * and of the leases those that are exactly what was asked for. Instants are ledger nanoseconds.
 */
final class RowCodec {
    static final JsonFactory JSON = new JsonFactory();

    private RowCodec() {}

    static String write(Row row) {
        StringWriter text = new StringWriter(256);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            write(json, row);
        }
        return text.toString();
    }

    static void write(JsonGenerator json, Row row) {
        Ask ask = row.ask();
        json.writeStartObject();
        if (ask.mode() instanceof Mode.Sync sync) {
            json.writeStringProperty("waiter", sync.waiter());
            json.writeNumberProperty("waiterUntil", row.waiterUntil());
        }
        number(json, "priority", ask.priority(), 0);
        json.writeArrayPropertyStart("needs");
        for (Demand demand : ask.demands()) {
            write(json, demand.scope(), demand.amount());
        }
        json.writeEndArray();
        ask.routing().ifPresent(routing -> write(json, routing));
        switch (ask.maxWait()) {
            case MaxWait.Inherit any -> {}
            case MaxWait.DoNotQueue any -> json.writeNumberProperty("maxWait", 0);
            case MaxWait.AtMost most ->
                json.writeNumberProperty("maxWait", most.bound().toNanos());
        }
        if (!ask.label().isEmpty()) {
            json.writeStringProperty("label", ask.label());
        }
        json.writeNumberProperty("sequence", row.sequence());
        json.writeNumberProperty("queued", row.enqueuedAt());
        number(json, "deadline", row.deadline(), Long.MAX_VALUE);
        number(json, "deadlineCap", row.deadlineCap(), Long.MAX_VALUE);
        flag(json, "detached", row.detached());
        number(json, "overtakes", row.overtakes(), 0);
        flag(json, "dispatchOnly", row.dispatchOnly());
        Scope bound = row.bound();
        if (bound != null) {
            json.writeArrayPropertyStart("bound");
            writeScope(json, bound);
            json.writeEndArray();
        }
        Grant grant = row.grant();
        if (grant != null) {
            write(json, row, grant);
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Routing routing) {
        json.writeStringProperty("route", routing.route());
        number(json, "amount", routing.amount(), 1_000);
        flag(json, "long", routing.longContext());
        if (!routing.avoided().isEmpty()) {
            json.writeArrayPropertyStart("avoided");
            new TreeSet<>(routing.avoided()).forEach(json::writeString);
            json.writeEndArray();
        }
    }

    private static void write(JsonGenerator json, Row row, Grant grant) {
        List<Demand> asked = row.ask().demands();
        json.writeNumberProperty("epoch", grant.epoch());
        number(json, "granted", grant.at(), row.enqueuedAt());
        json.writeNumberProperty("ttl", grant.ttl());
        number(json, "expires", grant.expiresAt(), grant.at() + grant.ttl());
        flag(json, "provisional", grant.provisional());
        Placement placement = grant.placement();
        if (placement != null) {
            json.writeStringProperty("provider", placement.provider());
            json.writeArrayPropertyStart("on");
            writeScope(json, placement.platformModel());
            json.writeEndArray();
            flag(json, "longSlot", placement.longSlot());
            if (!grant.rotatedFrom().isEmpty()) {
                json.writeStringProperty("rotatedFrom", grant.rotatedFrom());
            }
        }
        List<Lease> further = new ArrayList<>();
        for (Lease lease : grant.leases()) {
            if (!isAsked(lease, asked)) {
                further.add(lease);
            }
        }
        // Both are in the order of scopes, so what is as asked need not be said again.
        boolean asAsked = asked.size() + further.size() == grant.leases().size();
        if (!asAsked || !further.isEmpty()) {
            json.writeArrayPropertyStart(asAsked ? "further" : "leases");
            (asAsked ? further : grant.leases()).forEach(lease -> write(json, lease.scope(), lease.amount()));
            json.writeEndArray();
        }
    }

    private static boolean isAsked(Lease lease, List<Demand> asked) {
        for (Demand demand : asked) {
            if (demand.amount() == lease.amount() && demand.scope().equals(lease.scope())) {
                return true;
            }
        }
        return false;
    }

    /** What was asked for and {@code further}, in the order of a grant. */
    static List<Lease> leases(List<Lease> asked, List<Lease> further) {
        if (further.isEmpty()) {
            return List.copyOf(asked);
        }
        List<Lease> leases = new ArrayList<>(further);
        leases.addAll(asked);
        leases.sort(Comparator.comparing(Lease::scope));
        return List.copyOf(leases);
    }

    private static void write(JsonGenerator json, Scope scope, long amount) {
        writeScope(json, scope);
        json.writeNumber(amount);
    }

    private static void writeScope(JsonGenerator json, Scope scope) {
        json.writeString(scope.type());
        json.writeString(scope.key());
    }

    private static void number(JsonGenerator json, String name, long value, long ifNot) {
        if (value != ifNot) {
            json.writeNumberProperty(name, value);
        }
    }

    private static void flag(JsonGenerator json, String name, boolean value) {
        if (value) {
            json.writeBooleanProperty(name, true);
        }
    }

    /** @param holder of its waiter; null for an asynchronous task */
    static Row read(UUID task, @Nullable String holder, String body) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            parser.nextToken();
            return RowReader.of(parser).row(task, holder);
        }
    }
}
