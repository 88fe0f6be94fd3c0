package dev.sluice.gateway.http;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Scope;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.LoggerFactory;

/** What a request has to pass before it may be queued, for one that comes in a file instead of over a connection. */
public sealed interface Vetting {
    /** @param problem as its client would have been told over a connection */
    record Refused(Problem problem) implements Vetting {}

    /**
     * A good request, as it is to be executed.
     *
     * @param isLong whether it needs a long-context slot
     * @param unfit providers that cannot take it
     * @param scopes the limits of which it takes its part: the group's, then those of which one is enough
     */
    record Good(
            InferenceRequest request, boolean isLong, Set<String> unfit, Scope group, List<Scope> scopes, long amount)
            implements Vetting {}

    /** Pure computation, but for a long prompt a slow one: not on an event loop. */
    static Vetting of(Switchboard switchboard, String group, Api api, byte[] body) {
        try {
            return switch (read(api, body)) {
                case Reading.Invalid invalid -> new Refused(invalid.problem());
                case InferenceRequest request -> of(switchboard, group, api, request);
            };
        } catch (RuntimeException bug) {
            // It would come again however often the file is read; a connection would have got a 500.
            LoggerFactory.getLogger(Vetting.class).error("failed at a request of a file", bug);
            return new Refused(Problems.internal());
        }
    }

    /** Its answer is kept in a file alone. */
    private static Reading read(Api api, byte[] body) {
        Reading reading = api.read(body);
        return reading instanceof InferenceRequest request && api.kept().isPresent()
                ? api.kept().get().alone(request)
                : reading;
    }

    private static Vetting of(Switchboard switchboard, String group, Api api, InferenceRequest request) {
        Optional<Route> route = switchboard.route(request.model());
        Optional<Tenant> tenant = switchboard.tenant(group);
        if (route.isEmpty() || tenant.isEmpty()) {
            return new Refused(Problems.unknownModel(request.model()));
        }
        if (!tenant.get().mayUse(route.get())) {
            return new Refused(Problems.modelNotAllowed(request.model(), group));
        }
        Set<String> foreign = switchboard.foreign(route.get(), api.upstreamPath());
        Fit fit = foreign.isEmpty()
                ? new Fit.Avoiding(Set.of())
                : Fit.of(route.get(), foreign, api.upstreamPath(), request.body());
        return switch (fit) {
            case Fit.None none -> new Refused(none.problem());
            case Fit.Avoiding(Set<String> unfit) -> {
                boolean isLong = switch (api.size(request, route.get().model().longContextTokens())) {
                    case Api.Size.Known known -> known.isLong();
                    case Api.Size.Count count -> count.isLong().getAsBoolean();
                };
                yield new Good(
                        request,
                        isLong,
                        unfit,
                        tenant.get().scope(),
                        route.get().scopes(),
                        route.get().model().amountThousandths());
            }
        };
    }

    /** What to ask the ledger for; empty if model or group is gone meanwhile. */
    static Optional<Ask> ask(Switchboard switchboard, String group, Good good, UUID task, int priority) {
        return switchboard.asyncAsk(task, group, good.request().model(), priority, good.isLong(), good.unfit());
    }
}
