package dev.sluice.gateway.admin;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Amount;
import dev.sluice.admission.Explanation;
import dev.sluice.admission.Explanation.Blocker;
import dev.sluice.admission.Scope;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.Snapshot.ProviderView;
import dev.sluice.admission.Snapshot.ScopeView;
import dev.sluice.admission.TaskFilter;
import dev.sluice.admission.TaskView;
import dev.sluice.gateway.telemetry.Outcomes;
import dev.sluice.gateway.telemetry.Outcomes.Outcome;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The ledger as JSON for operators; amounts are decimals, times are seconds. */
final class LedgerView {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Admission admission;
    private final Outcomes outcomes;

    LedgerView(Admission admission, Outcomes outcomes) {
        this.admission = admission;
        this.outcomes = outcomes;
    }

    ObjectNode queue() {
        Snapshot snapshot = admission.snapshot();
        ObjectNode root = JSON.createObjectNode()
                .put("queue_depth", snapshot.queueDepth())
                .put("waiting_sync", snapshot.waitingSync())
                .put("waiting_async", snapshot.waitingAsync())
                .put("oldest_wait_seconds", seconds(snapshot.oldestWait()))
                .put("expired_waiter_backlog", snapshot.expiredWaiterBacklog())
                .put("expired_deadline_backlog", snapshot.expiredDeadlineBacklog());
        ArrayNode scopes = root.putArray("scopes");
        for (ScopeView scope : snapshot.scopes()) {
            scope(scopes.addObject(), scope.scope())
                    .put("limit", amount(scope.limit()))
                    .put("active", amount(scope.active()))
                    .put("waiting", scope.waiting())
                    .put("queue_limit", scope.queueLimit());
        }
        return root;
    }

    ObjectNode providers() {
        ObjectNode root = JSON.createObjectNode();
        ArrayNode providers = root.putArray("providers");
        for (ProviderView provider : admission.snapshot().providers()) {
            providers
                    .addObject()
                    .put("id", provider.id())
                    .put("capacity", provider.capacity())
                    .put("long_context_capacity", provider.longCapacity())
                    .put("reserved_interactive", provider.reserve().sync())
                    .put("reserved_background", provider.reserve().async())
                    .put("in_flight", provider.inFlight())
                    .put("long_in_flight", provider.longInFlight())
                    .put("waiting", provider.waiting())
                    .put("enabled", provider.enabled())
                    .put("up", provider.up())
                    .put("state", provider.state().name().toLowerCase(Locale.ROOT));
        }
        return root;
    }

    ObjectNode list(TaskFilter filter) {
        ObjectNode root = JSON.createObjectNode();
        ArrayNode tasks = root.putArray("admissions");
        admission.list(filter).forEach(task -> task(tasks.addObject(), task));
        return root;
    }

    /** Why a task waits, what it holds, or what became of it. */
    Optional<ObjectNode> explain(UUID id) {
        return admission
                .explain(id)
                .map(LedgerView::explanation)
                .or(() -> outcomes.find(id).map(LedgerView::outcome));
    }

    private static ObjectNode outcome(Outcome outcome) {
        ObjectNode root = JSON.createObjectNode()
                .put("task", outcome.task().toString())
                .put("status", "ended")
                .put("path", outcome.path())
                .put("model", outcome.model())
                .put("group", outcome.group())
                .put("http_status", outcome.status())
                .put("queued_seconds", seconds(outcome.queued()))
                .put("ended_at", outcome.ended().toString());
        root.set("code", text(outcome.code()));
        root.set("provider", text(outcome.provider()));
        return root;
    }

    private static JsonNode text(String value) {
        return value.isEmpty() ? JSON.nullNode() : JSON.stringNode(value);
    }

    private static ObjectNode explanation(Explanation explanation) {
        ObjectNode root = JSON.createObjectNode();
        task(root, explanation.task());
        ArrayNode blockers = root.putArray("blocked_by");
        for (Blocker blocker : explanation.blockedBy()) {
            ArrayNode holders = scope(blockers.addObject(), blocker.scope())
                    .put("limit", amount(blocker.limit()))
                    .put("active", amount(blocker.active()))
                    .putArray("holders");
            blocker.holders().forEach(holder -> holders.add(holder.toString()));
        }
        if (explanation.task().waiting()) {
            root.put("ahead", explanation.ahead());
            root.put("position", explanation.position());
        }
        explanation
                .eta()
                .ifPresentOrElse(eta -> root.put("eta_seconds", seconds(eta)), () -> root.putNull("eta_seconds"));
        return root;
    }

    private static void task(ObjectNode into, TaskView task) {
        into.put("task", task.task().toString())
                .put("status", task.waiting() ? "waiting" : "admitted")
                .put("mode", task.sync() ? "sync" : "async")
                .put("priority", task.priority())
                .put("sequence", task.sequence())
                .put("epoch", task.epoch())
                .put("age_seconds", seconds(task.age()))
                .put("overtakes", task.overtakes());
        task.routing().ifPresent(routing -> into.put("model", routing.route()).put("long", routing.longContext()));
        task.deadlineIn().ifPresent(left -> into.put("deadline_in_seconds", seconds(left)));
        task.reason().ifPresent(reason -> into.put("reason", reason.text()));
        task.placement().ifPresent(at -> into.put("provider", at.provider()));
        ArrayNode demands = into.putArray("demands");
        task.demands()
                .forEach(demand -> scope(demands.addObject(), demand.scope()).put("amount", amount(demand.amount())));
        ArrayNode leases = into.putArray("leases");
        task.leases().forEach(lease -> scope(leases.addObject(), lease.scope()).put("amount", amount(lease.amount())));
    }

    private static ObjectNode scope(ObjectNode into, Scope scope) {
        return into.put("type", scope.type()).put("key", scope.key());
    }

    private static BigDecimal amount(long thousandths) {
        return new BigDecimal(Amount.text(thousandths));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    static ObjectNode done(UUID task, String what) {
        return JSON.createObjectNode().put("task", task.toString()).put("status", what);
    }

    /** A whole number under {@code name} in a JSON object; empty for anything else. */
    static OptionalInt number(byte[] body, String name) {
        try {
            JsonNode value = JSON.readTree(body).path(name);
            return value.isInt() ? OptionalInt.of(value.intValue()) : OptionalInt.empty();
        } catch (JacksonException e) {
            return OptionalInt.empty();
        }
    }

    /** Scopes that an operator can name in a filter. */
    static Optional<Scope> group(Optional<String> id) {
        return id.filter(text -> !text.isBlank()).map(Scope::userGroup);
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    static byte[] bytes(ObjectNode node) {
        return JSON.writeValueAsBytes(node);
    }

    static ObjectNode error(String type, String code, String message) {
        ObjectNode root = JSON.createObjectNode();
        root.putObject("error")
                .put("message", message)
                .put("type", type)
                .putNull("param")
                .put("code", code);
        return root;
    }
}
