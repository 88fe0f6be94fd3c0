package dev.sluice.admission;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks whether a task may run now, and where; if not, what must change first. One instance is reused, since this is
 * the hottest code of the ledger: its fields are the answer to the last question.
 */
final class Fitting {
    private Ordering ordering = Ordering.WORK_CONSERVING;

    /** The entry and provider that would serve the task; null without a route. */
    RouteState.@Nullable Entry entry;

    @Nullable
    ProviderSlots provider;

    /** What the queue must watch, valid after a "no". */
    List<Binding.Watch> blockers = List.of();

    WaitReason reason = WaitReason.of(WaitReason.Kind.BEHIND_OTHERS);

    void use(Ordering chosen) {
        ordering = chosen;
    }

    boolean fits(Binding binding, Node node) {
        entry = null;
        provider = null;
        for (int i = 0; i < binding.scopes.length; i++) {
            ScopeState scope = binding.scopes[i];
            long amount = binding.amounts[i];
            if (!scope.hasRoom(amount, node)) {
                return blocked(new Binding.Watch(scope, amount), lacking(scope, amount));
            }
            if (mustBeFront(scope) && isBehind(scope, node)) {
                return blocked(new Binding.Watch(scope, 0), WaitReason.of(WaitReason.Kind.BEHIND_OTHERS, scope.scope));
            }
        }
        return binding.route == null || fitsRoute(binding, binding.route, node);
    }

    private boolean fitsRoute(Binding binding, RouteState route, Node node) {
        List<Binding.Watch> watches = new ArrayList<>(4);
        WaitReason first = null;
        for (RouteState.Entry candidate : binding.entries()) {
            ScopeState platformModel = candidate.platformModel();
            WaitReason why;
            if (!platformModel.hasRoom(binding.routedAmount(), node)) {
                watches.add(new Binding.Watch(platformModel, binding.routedAmount()));
                why = lacking(platformModel, binding.routedAmount());
            } else if (mustBeFront(platformModel) && isBehind(platformModel, node)) {
                watches.add(new Binding.Watch(platformModel, 0));
                why = WaitReason.of(WaitReason.Kind.BEHIND_OTHERS, platformModel.scope);
            } else {
                ProviderSlots chosen = choose(route, candidate, binding.isLong(), node);
                if (chosen != null) {
                    entry = candidate;
                    provider = chosen;
                    return true;
                }
                why = watchProviders(candidate, binding.isLong(), watches);
            }
            if (first == null || first.kind() == WaitReason.Kind.NO_LIVE_PROVIDER) {
                first = why;
            }
        }
        blockers = watches;
        reason = first == null ? WaitReason.of(WaitReason.Kind.NO_LIVE_PROVIDER) : first;
        return false;
    }

    /**
     * Placement: the lowest load, then the lowest priority number, then the next provider id after the last one chosen,
     * wrapped. Candidates are sorted by id.
     */
    private static @Nullable ProviderSlots choose(RouteState route, RouteState.Entry entry, boolean isLong, Node node) {
        ProviderSlots best = null;
        boolean bestIsNext = false;
        for (ProviderSlots candidate : entry.candidates()) {
            if (!candidate.slots.hasRoom(Amount.ONE, node)
                    || (isLong && !candidate.longSlots.hasRoom(Amount.ONE, node))) {
                continue;
            }
            boolean isNext = candidate.id.compareTo(route.lastChosen) > 0;
            int order = best == null ? -1 : compare(candidate, best);
            if (order < 0 || (order == 0 && isNext && !bestIsNext)) {
                best = candidate;
                bestIsNext = isNext;
            }
        }
        return best;
    }

    private static int compare(ProviderSlots a, ProviderSlots b) {
        int byLoad = Long.compare(a.slots.active, b.slots.active);
        return byLoad != 0 ? byLoad : Integer.compare(a.priority(), b.priority());
    }

    private static WaitReason watchProviders(RouteState.Entry entry, boolean isLong, List<Binding.Watch> watches) {
        boolean live = false;
        boolean longOnly = false;
        for (ProviderSlots candidate : entry.candidates()) {
            live |= candidate.isLive();
            if (isLong && candidate.slots.fits(Amount.ONE)) {
                longOnly = true;
                watches.add(new Binding.Watch(candidate.longSlots, Amount.ONE));
            } else {
                watches.add(new Binding.Watch(candidate.slots, Amount.ONE));
            }
        }
        if (longOnly) {
            return WaitReason.of(WaitReason.Kind.LONG_CONTEXT_CAPACITY_FULL);
        }
        return WaitReason.of(live ? WaitReason.Kind.CAPACITY_FULL : WaitReason.Kind.NO_LIVE_PROVIDER);
    }

    private boolean blocked(Binding.Watch watch, WaitReason why) {
        blockers = List.of(watch);
        reason = why;
        return false;
    }

    private static WaitReason lacking(ScopeState scope, long amount) {
        return WaitReason.of(scope.fits(amount) ? WaitReason.Kind.BEHIND_OTHERS : WaitReason.Kind.SCOPE, scope.scope);
    }

    /** Strict ordering asks for the head of the platform model's and the group's queue, unlimited or not. */
    private boolean mustBeFront(ScopeState scope) {
        return ordering == Ordering.STRICT
                && (scope.scope.type().equals(Scope.PLATFORM_MODEL)
                        || scope.scope.type().equals(Scope.USER_GROUP));
    }

    private static boolean isBehind(ScopeState scope, Node node) {
        Node front = scope.front();
        return front != null && front != node && front.before(node);
    }
}
