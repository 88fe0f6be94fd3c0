package dev.sluice.admission.histories;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.ScopePolicy;
import java.util.Comparator;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Writes histories for people, and names tasks by number. */
final class Words {
    private Words() {}

    static UUID task(int number) {
        return new UUID(0x7000L, 0x8000_0000_0000_0000L | number);
    }

    static int number(UUID task) {
        return (int) task.getLeastSignificantBits();
    }

    static String of(Ask ask) {
        String who = switch (ask.mode()) {
            case Mode.Sync sync -> " by " + sync.waiter() + "@" + sync.holder();
            case Mode.Async any -> " async";
        };
        String needs = ask.demands().stream().map(Words::of).collect(Collectors.joining(", ", " needs [", "]"));
        String wait = switch (ask.maxWait()) {
            case MaxWait.Inherit any -> "";
            case MaxWait.DoNotQueue any -> " or not at all";
            case MaxWait.AtMost most -> " within " + most.bound();
        };
        return "#" + number(ask.task()) + who + " p" + ask.priority() + needs
                + ask.routing().map(Words::of).orElse("") + wait;
    }

    private static String of(Routing routing) {
        return " on " + routing.route() + " x" + Amount.text(routing.amount())
                + (routing.longContext() ? " long" : "")
                + (routing.avoided().isEmpty() ? "" : " not " + routing.avoided());
    }

    private static String of(Demand demand) {
        return demand.scope() + " x" + Amount.text(demand.amount());
    }

    static String of(Operation.Fence fence) {
        return switch (fence) {
            case CURRENT -> "";
            case PREVIOUS -> " (epoch before)";
            case NEXT -> " (epoch after)";
        };
    }

    static String of(Policies policies) {
        String scopes = policies.scopes().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> "\n        " + entry.getKey() + ": " + of(entry.getValue()))
                .collect(Collectors.joining());
        String providers = policies.providers().values().stream()
                .sorted(Comparator.comparing(ProviderPolicy::id))
                .map(provider -> "\n        " + provider)
                .collect(Collectors.joining());
        String routes = policies.routes().values().stream()
                .sorted(Comparator.comparing(RoutePolicy::id))
                .map(route -> "\n        " + route)
                .collect(Collectors.joining());
        return policies.queueing() + scopes + providers + routes;
    }

    private static String of(ScopePolicy policy) {
        return "limit " + Amount.text(policy.limit()) + ", queue " + policy.queueLimit() + ", max wait "
                + policy.maxWait() + ", ttl " + policy.leaseTtl();
    }
}
