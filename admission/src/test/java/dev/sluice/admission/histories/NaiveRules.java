package dev.sluice.admission.histories;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Lease;
import dev.sluice.admission.Ordering;
import dev.sluice.admission.Placement;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Reserve;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Room, order and placement, each answered by scanning all tasks. */
class NaiveRules {
    /** Why a task cannot run, as far as the queue rules care. */
    enum Blocked {
        BY_SCOPE,
        BY_PROVIDERS,
        BY_DEAD_PROVIDERS
    }

    /** Where a task may run, or why it may not. */
    record Place(Optional<Blocked> blocked, Optional<Placement> placement) {
        static Place at(Optional<Placement> placement) {
            return new Place(Optional.empty(), placement);
        }

        static Place blocked(Blocked why) {
            return new Place(Optional.of(why), Optional.empty());
        }

        boolean fits() {
            return blocked.isEmpty();
        }
    }

    final List<NaiveTask> tasks = new ArrayList<>();
    final Map<String, Boolean> up = new HashMap<>();
    final Map<String, ProviderState> states = new HashMap<>();
    final Map<String, String> lastChosen = new HashMap<>();
    Policies policies = Policies.NONE;
    long now;

    Optional<NaiveTask> find(int number) {
        return tasks.stream()
                .filter(task -> Words.number(task.ask.task()) == number)
                .findFirst();
    }

    /** All tasks in line, first to last. */
    List<NaiveTask> line() {
        return tasks.stream()
                .filter(NaiveTask::stands)
                .sorted((a, b) -> a.before(b) ? -1 : 1)
                .toList();
    }

    long active(Scope scope) {
        boolean isPart = scope.isOfProvider() && !scope.type().equals(Scope.PROVIDER);
        return isPart && limit(scope).isPresent() ? running(scope) : held(scope);
    }

    /** Those who count in a part of a provider's slots, whether or not that was limited when they were admitted. */
    private long running(Scope part) {
        return Amount.ONE
                * tasks.stream()
                        .filter(task -> isOfPart(part, task.ask))
                        .flatMap(task -> task.holding.stream())
                        .flatMap(holding -> holding.placement().stream())
                        .filter(where -> where.provider().equals(part.key()))
                        .count();
    }

    static boolean isOfPart(Scope part, Ask ask) {
        return switch (part.type()) {
            case Scope.PROVIDER_LONG -> ask.routing().map(Routing::longContext).orElse(false);
            case Scope.PROVIDER_SYNC -> ask.isSync();
            case Scope.PROVIDER_ASYNC -> !ask.isSync();
            default -> false;
        };
    }

    /** The parts of a provider's slots that bound the task. */
    List<Scope> parts(String provider, NaiveTask task) {
        return Stream.of(Scope.providerLong(provider), Scope.providerSync(provider), Scope.providerAsync(provider))
                .filter(part -> isOfPart(part, task.ask) && limit(part).isPresent())
                .toList();
    }

    private long held(Scope scope) {
        return tasks.stream()
                .flatMap(task -> task.holding.stream())
                .flatMap(holding -> holding.leases().stream())
                .filter(lease -> lease.scope().equals(scope))
                .mapToLong(Lease::amount)
                .sum();
    }

    /** Empty for unlimited. */
    Optional<Long> limit(Scope scope) {
        ProviderPolicy provider = policies.providers().get(scope.key());
        return switch (scope.type()) {
            case Scope.PROVIDER -> Optional.of(provider == null ? 0 : provider.capacity() * Amount.ONE);
            case Scope.PROVIDER_LONG ->
                provider == null || provider.longCapacity() == 0
                        ? Optional.empty()
                        : Optional.of(provider.longCapacity() * Amount.ONE);
            case Scope.PROVIDER_SYNC -> share(provider, Reserve::async);
            case Scope.PROVIDER_ASYNC -> share(provider, Reserve::sync);
            default -> Optional.of(policies.of(scope).limit()).filter(limit -> limit > 0);
        };
    }

    private static Optional<Long> share(@Nullable ProviderPolicy provider, ToIntFunction<Reserve> reserved) {
        int others = provider == null ? 0 : reserved.applyAsInt(provider.reserve());
        return provider == null || others == 0
                ? Optional.empty()
                : Optional.of((provider.capacity() - others) * Amount.ONE);
    }

    boolean isEnabled(String provider) {
        ProviderPolicy policy = policies.providers().get(provider);
        return policy != null
                && policy.enabled()
                && states.getOrDefault(provider, ProviderState.ENABLED) == ProviderState.ENABLED;
    }

    boolean isLive(String provider) {
        return isEnabled(provider) && up.getOrDefault(provider, true);
    }

    boolean hasRoomByLimit(Scope scope, long amount) {
        if (scope.type().equals(Scope.PROVIDER) && !isLive(scope.key())) {
            return false;
        }
        return limit(scope).map(limit -> active(scope) + amount <= limit).orElse(true);
    }

    boolean hasRoom(Scope scope, long amount, NaiveTask task) {
        if (!hasRoomByLimit(scope, amount)) {
            return false;
        }
        long aside = 0;
        for (NaiveTask other : line()) {
            boolean starves = other.overtakes >= policies.queueing().maxOvertakes() && setsAsideIn(other, scope);
            if (other == task || task.before(other)) {
                break;
            }
            if (starves && aside + amountIn(scope, other) > limit(scope).orElse(Long.MAX_VALUE)) {
                break;
            }
            aside += starves ? amountIn(scope, other) : 0;
        }
        return hasRoomByLimit(scope, amount + aside);
    }

    private static boolean setsAsideIn(NaiveTask task, Scope scope) {
        return task.bound.filter(scope::equals).isPresent()
                || task.ask.demands().stream().anyMatch(demand -> demand.scope().equals(scope));
    }

    static long amountIn(Scope scope, NaiveTask task) {
        if (scope.type().equals(Scope.PROVIDER)) {
            return Amount.ONE;
        }
        return task.ask.demands().stream()
                .filter(demand -> demand.scope().equals(scope))
                .map(Demand::amount)
                .findFirst()
                .orElseGet(() -> task.ask.routing().map(Routing::amount).orElse(0L));
    }

    Optional<RoutePolicy> route(NaiveTask task) {
        return task.ask
                .routing()
                .flatMap(routing -> Optional.ofNullable(policies.routes().get(routing.route())));
    }

    List<String> candidates(RoutePolicy.Entry entry, NaiveTask task) {
        Set<String> avoided = task.ask.routing().map(Routing::avoided).orElse(Set.of());
        return entry.providers().stream()
                .distinct()
                .filter(provider -> !avoided.contains(provider))
                .sorted()
                .toList();
    }

    /** The entries that may serve the task now: all whose spill time has come or that have no live entry before them. */
    List<RoutePolicy.Entry> openEntries(NaiveTask task) {
        List<RoutePolicy.Entry> open = new ArrayList<>();
        boolean earlierIsLive = false;
        for (RoutePolicy.Entry entry : route(task).map(RoutePolicy::entries).orElse(List.of())) {
            if (!earlierIsLive || entry.spillAfter().toNanos() <= now - task.since) {
                open.add(entry);
            }
            earlierIsLive |= candidates(entry, task).stream().anyMatch(this::isLive);
        }
        return open;
    }

    /** Whether the task may take something of the scope once it runs. */
    boolean carries(NaiveTask task, Scope scope) {
        Stream<Scope> demanded = task.ask.demands().stream().map(Demand::scope);
        Stream<Scope> routed = openEntries(task).stream()
                .flatMap(entry -> Stream.concat(
                        Stream.of(entry.platformModel()),
                        candidates(entry, task).stream().map(Scope::provider)));
        return Stream.concat(demanded, routed).anyMatch(scope::equals);
    }

    Optional<NaiveTask> front(Scope scope) {
        return line().stream().filter(task -> carries(task, scope)).findFirst();
    }

    private boolean isBehindInStrictOrder(Scope scope, NaiveTask task) {
        return policies.queueing().ordering() == Ordering.STRICT
                && (scope.type().equals(Scope.PLATFORM_MODEL) || scope.type().equals(Scope.USER_GROUP))
                && front(scope)
                        .filter(front -> front != task && front.before(task))
                        .isPresent();
    }

    Place place(NaiveTask task) {
        for (Demand demand : task.ask.demands()) {
            if (!hasRoom(demand.scope(), demand.amount(), task) || isBehindInStrictOrder(demand.scope(), task)) {
                return Place.blocked(Blocked.BY_SCOPE);
            }
        }
        if (route(task).isEmpty()) {
            return Place.at(Optional.empty());
        }
        Routing routing = task.ask.routing().orElseThrow();
        Blocked why = Blocked.BY_DEAD_PROVIDERS;
        for (RoutePolicy.Entry entry : openEntries(task)) {
            Scope model = entry.platformModel();
            Blocked here;
            if (!hasRoom(model, routing.amount(), task) || isBehindInStrictOrder(model, task)) {
                here = Blocked.BY_SCOPE;
            } else {
                Optional<String> chosen = choose(entry, task);
                if (chosen.isPresent()) {
                    boolean longSlot = routing.longContext()
                            && limit(Scope.providerLong(chosen.get())).isPresent();
                    return Place.at(Optional.of(new Placement(chosen.get(), model, longSlot)));
                }
                here = candidates(entry, task).stream().anyMatch(this::isLive)
                        ? Blocked.BY_PROVIDERS
                        : Blocked.BY_DEAD_PROVIDERS;
            }
            why = why == Blocked.BY_DEAD_PROVIDERS ? here : why;
        }
        return Place.blocked(why);
    }

    private Optional<String> choose(RoutePolicy.Entry entry, NaiveTask task) {
        Routing routing = task.ask.routing().orElseThrow();
        String last = lastChosen.getOrDefault(routing.route(), "");
        return candidates(entry, task).stream()
                .filter(id -> hasRoomByLimit(Scope.provider(id), Amount.ONE))
                .filter(id -> parts(id, task).stream().allMatch(part -> hasRoomByLimit(part, Amount.ONE)))
                .min(Comparator.comparing((String id) -> active(Scope.provider(id)))
                        .thenComparing(id -> policies.providers().get(id).priority())
                        .thenComparing(id -> id.compareTo(last) <= 0)
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Those to whom an admission of {@code overtaker} is an overtake that counts; asked after it holds its leases. */
    Set<NaiveTask> overtaken(NaiveTask overtaker) {
        Set<NaiveTask> charged = new HashSet<>();
        for (Lease lease : overtaker.holding.orElseThrow().leases()) {
            line().stream()
                    .filter(task -> carries(task, lease.scope()))
                    .filter(task -> !hasRoomByLimit(lease.scope(), amountIn(lease.scope(), task)))
                    .findFirst()
                    .filter(passed -> passed.before(overtaker))
                    .ifPresent(charged::add);
        }
        return charged;
    }
}
