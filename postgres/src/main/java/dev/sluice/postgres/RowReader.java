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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads what {@link RowCodec} wrote, straight from the parser's tokens: each process reads every row that another one
 * writes, so this is half of what sharing a ledger costs.
 */
final class RowReader {
    private @Nullable String waiter;
    private long waiterUntil = Long.MAX_VALUE;
    private long priority;
    private List<Lease> needs = List.of();
    private @Nullable String route;
    private long amount = 1_000;
    private boolean isLong;
    private final Set<String> avoided = new TreeSet<>();
    private long maxWait = -1;
    private String label = "";
    private long sequence;
    private long queued;
    private long deadline = Long.MAX_VALUE;
    private long deadlineCap = Long.MAX_VALUE;
    private boolean detached;
    private long overtakes;
    private boolean dispatchOnly;
    private @Nullable Scope bound;
    private long epoch = -1;
    private long granted = -1;
    private long ttl;
    private long expires = -1;
    private boolean provisional;
    private @Nullable String provider;
    private @Nullable Scope on;
    private boolean longSlot;
    private String rotatedFrom = "";
    private @Nullable List<Lease> leases;
    private List<Lease> further = List.of();

    private RowReader() {}

    /** @param parser at the start of the object; afterwards at its end */
    static RowReader of(JsonParser parser) {
        RowReader reader = new RowReader();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            reader.take(name, parser);
        }
        return reader;
    }

    private void take(String name, JsonParser parser) {
        switch (name) {
            case "waiter" -> waiter = parser.getString();
            case "waiterUntil" -> waiterUntil = parser.getLongValue();
            case "priority" -> priority = parser.getLongValue();
            case "needs" -> needs = leases(parser);
            case "route" -> route = parser.getString();
            case "amount" -> amount = parser.getLongValue();
            case "long" -> isLong = true;
            case "avoided" -> strings(parser).forEach(avoided::add);
            case "maxWait" -> maxWait = parser.getLongValue();
            case "label" -> label = parser.getString();
            case "sequence" -> sequence = parser.getLongValue();
            case "queued" -> queued = parser.getLongValue();
            case "deadline" -> deadline = parser.getLongValue();
            case "deadlineCap" -> deadlineCap = parser.getLongValue();
            case "detached" -> detached = true;
            case "overtakes" -> overtakes = parser.getLongValue();
            case "dispatchOnly" -> dispatchOnly = true;
            case "bound" -> bound = scope(parser);
            case "epoch" -> epoch = parser.getLongValue();
            case "granted" -> granted = parser.getLongValue();
            case "ttl" -> ttl = parser.getLongValue();
            case "expires" -> expires = parser.getLongValue();
            case "provisional" -> provisional = true;
            case "provider" -> provider = parser.getString();
            case "on" -> on = scope(parser);
            case "longSlot" -> longSlot = true;
            case "rotatedFrom" -> rotatedFrom = parser.getString();
            case "leases" -> leases = leases(parser);
            case "further" -> further = leases(parser);
            default -> throw new IllegalStateException("the ledger writes no " + name);
        }
    }

    /** @param holder of its waiter; null for an asynchronous task */
    Row row(UUID task, @Nullable String holder) {
        Mode mode = waiter == null || holder == null ? Mode.ASYNC : new Mode.Sync(waiter, holder);
        List<Demand> demands = new ArrayList<>(needs.size());
        for (Lease lease : needs) {
            demands.add(new Demand(lease.scope(), lease.amount()));
        }
        Optional<Routing> routing =
                route == null ? Optional.empty() : Optional.of(new Routing(route, amount, isLong, avoided));
        MaxWait wait = maxWait < 0 ? MaxWait.INHERIT : MaxWait.atMost(Duration.ofNanos(maxWait));
        Ask ask = new Ask(task, mode, (int) priority, demands, routing, wait, label);
        return new Row(
                ask,
                sequence,
                queued,
                deadline,
                deadlineCap,
                waiterUntil,
                detached,
                (int) overtakes,
                dispatchOnly,
                bound,
                epoch < 0 ? null : grant());
    }

    private Grant grant() {
        long at = granted < 0 ? queued : granted;
        Placement placement = provider == null || on == null ? null : new Placement(provider, on, longSlot);
        return new Grant(
                epoch,
                leases != null ? List.copyOf(leases) : RowCodec.leases(needs, further),
                placement,
                at,
                ttl,
                expires < 0 ? at + ttl : expires,
                provisional,
                rotatedFrom);
    }

    private static List<Lease> leases(JsonParser parser) {
        List<Lease> leases = new ArrayList<>(4);
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            String type = parser.getString();
            String key = parser.nextStringValue();
            leases.add(new Lease(new Scope(type, key), parser.nextLongValue(0)));
        }
        return leases;
    }

    private static Scope scope(JsonParser parser) {
        Scope scope = new Scope(parser.nextStringValue(), parser.nextStringValue());
        parser.nextToken();
        return scope;
    }

    private static List<String> strings(JsonParser parser) {
        List<String> strings = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            strings.add(parser.getString());
        }
        return strings;
    }
}
