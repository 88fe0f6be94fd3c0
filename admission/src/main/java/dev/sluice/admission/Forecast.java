package dev.sluice.admission;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Expected waits from observed drain rates: what a scope holds now, divided by how long its leases are held, is what it
 * frees in a second while it is saturated.
 */
final class Forecast {
    private static final long SECOND = 1_000_000_000L;
    private static final long RETRY_MAX = 60 * SECOND;

    private final Lines lines;

    Forecast(Lines lines) {
        this.lines = lines;
    }

    /**
     * When another try is likely to find room for {@code amount}: with up to 20 % jitter by the task's id so that the
     * refused do not all return at once, 1 to 60 s, 1 s without an observation.
     */
    Duration retryAfter(UUID task, ScopeState scope, long amount) {
        return retry(task, untilFree(scope, amount, 0));
    }

    Duration retryAfter(UUID task, RouteState route) {
        OptionalLong soonest = OptionalLong.empty();
        for (RouteState.Entry entry : route.entries) {
            soonest = earlier(soonest, untilProvider(entry, false, Share.WHOLE, 0));
        }
        return retry(task, soonest);
    }

    private static Duration retry(UUID task, OptionalLong expected) {
        double jitter = 1 + 0.2 * ((task.hashCode() & 0xff) / 255.0);
        long nanos = (long) (expected.orElse(0) * jitter);
        return Duration.ofNanos(Math.clamp(nanos, SECOND, RETRY_MAX));
    }

    /** When the last lease of the scope lapses if nobody renews: the most that holding can last. */
    Duration resetAfter(ScopeState scope) {
        return scope.active == 0 ? Duration.ZERO : scope.policy.leaseTtl();
    }

    /** A scope and how long until it has room. */
    record Wait(ScopeState scope, int ahead, OptionalLong nanos) {}

    /**
     * How long until the task starts: of all its scopes, the one that frees last.
     *
     * @return ahead in that scope, and nanoseconds if the rates are known
     */
    Wait expect(Node node, Binding binding, long now) {
        Wait last = null;
        for (int i = 0; i < binding.scopes.length; i++) {
            last = later(last, inScope(binding.scopes[i], binding.amounts[i], node, now));
        }
        if (binding.route != null) {
            last = later(last, onRoute(binding, binding.route, node, now));
        }
        if (last == null) {
            throw new IllegalStateException("a task without scopes");
        }
        return last;
    }

    private Wait inScope(ScopeState scope, long amount, Node node, long now) {
        Lines.Ahead ahead = lines.ahead(scope, node, now);
        return new Wait(scope, ahead.tasks(), untilFree(scope, amount, ahead.amount()));
    }

    /** The best entry counts, since any may serve it. */
    private Wait onRoute(Binding binding, RouteState route, Node node, long now) {
        Wait best = null;
        for (RouteState.Entry entry : binding.entries()) {
            Wait model = inScope(entry.platformModel(), binding.routedAmount, node, now);
            // Every candidate has the same line as far as this task's route is concerned; take the longest.
            int ahead = 0;
            for (ProviderSlots candidate : entry.candidates()) {
                ahead = Math.max(ahead, lines.ahead(candidate.slots, node, now).tasks());
            }
            Wait slot = new Wait(
                    entry.platformModel(),
                    Math.max(ahead, model.ahead()),
                    untilProvider(entry, binding.isLong, binding.key.share(), ahead));
            Wait both = later(model, slot);
            best = best == null || shorter(both, best) ? both : best;
        }
        return best == null ? new Wait(route.entries.getFirst().platformModel(), 0, OptionalLong.empty()) : best;
    }

    private static OptionalLong untilFree(ScopeState scope, long amount, long aheadAmount) {
        if (!scope.isLimited()) {
            return OptionalLong.of(0);
        }
        long lacking = amount + aheadAmount - Math.max(0, scope.limit - scope.active);
        if (lacking <= 0) {
            return OptionalLong.of(0);
        }
        if (!scope.holdTime.isKnown()) {
            return OptionalLong.empty();
        }
        long held = scope.active > 0 ? scope.active : Math.max(scope.limit, 1);
        return OptionalLong.of((long) (scope.holdTime.meanNanos() * lacking / held));
    }

    private static OptionalLong untilProvider(RouteState.Entry entry, boolean isLong, Share share, int ahead) {
        List<ProviderSlots> live =
                entry.candidates().stream().filter(ProviderSlots::isLive).toList();
        long free = 0;
        double perNano = 0;
        for (ProviderSlots candidate : live) {
            ScopeState tightest = candidate.slots;
            for (ScopeState within : candidate.within(isLong, share)) {
                tightest = within.limit - within.active < tightest.limit - tightest.active ? within : tightest;
            }
            free += Math.max(0, tightest.limit - tightest.active);
            if (tightest.holdTime.isKnown()) {
                perNano += tightest.limit / tightest.holdTime.meanNanos();
            }
        }
        long lacking = (ahead + 1) * Amount.ONE - free;
        if (lacking <= 0 && !live.isEmpty()) {
            return OptionalLong.of(0);
        }
        return perNano > 0 ? OptionalLong.of((long) (lacking / perNano)) : OptionalLong.empty();
    }

    private static OptionalLong earlier(OptionalLong a, OptionalLong b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() ? b : a;
        }
        return a.getAsLong() <= b.getAsLong() ? a : b;
    }

    private static boolean shorter(Wait a, Wait b) {
        return a.nanos().isPresent()
                && (b.nanos().isEmpty() || a.nanos().getAsLong() < b.nanos().getAsLong());
    }

    /** The later of two; one that lacks room at an unknown rate is latest of all. */
    private static Wait later(@Nullable Wait a, Wait b) {
        if (a == null || b.nanos().isEmpty()) {
            return b;
        }
        return a.nanos().isEmpty() || a.nanos().getAsLong() >= b.nanos().getAsLong() ? a : b;
    }
}
