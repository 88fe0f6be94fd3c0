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

    /** What the task would hold, and so where it would run; valid after a "yes". */
    @Nullable
    Footprint footprint;

    /** What the queue must watch, valid after a "no". */
    List<Blocker> blockers = List.of();

    WaitReason reason = WaitReason.of(WaitReason.Kind.BEHIND_OTHERS);

    void use(Ordering chosen) {
        ordering = chosen;
    }

    /** @param amount thousandths that the scope lacks; 0 if the task must first become its front */
    record Blocker(ScopeState scope, long amount) {}

    boolean fits(Binding binding, Node node) {
        for (int i = 0; i < binding.scopes.length; i++) {
            ScopeState scope = binding.scopes[i];
            long amount = binding.amounts[i];
            if (!scope.hasRoom(amount, node)) {
                return blocked(scope.shortOf(amount), scope.lacking(amount));
            }
            if (mustBeFront(scope) && isBehind(scope, node)) {
                return blocked(List.of(new Blocker(scope, 0)), scope.behindOthers);
            }
        }
        if (binding.route != null) {
            return fitsRoute(binding, binding.route, node);
        }
        return !binding.isAstray() && fitsAs(binding.footprint());
    }

    /** Written only when it differs: a reference in an old object costs a memory fence each time. */
    @SuppressWarnings("ReferenceEquality") // to compare their values would take longer than to write
    private boolean fitsAs(Footprint found) {
        if (footprint != found) {
            footprint = found;
        }
        return true;
    }

    private boolean fitsRoute(Binding binding, RouteState route, Node node) {
        List<RouteState.Entry> entries = binding.entries();
        if (entries.size() == 1 && !entries.getFirst().platformModel().hasRoom(binding.routedAmount, node)) {
            ScopeState only = entries.getFirst().platformModel();
            return blocked(only.shortOf(binding.routedAmount), only.lacking(binding.routedAmount));
        }
        List<Blocker> watches = new ArrayList<>(2);
        WaitReason first = null;
        for (RouteState.Entry candidate : entries) {
            ScopeState platformModel = candidate.platformModel();
            WaitReason why;
            if (!platformModel.hasRoom(binding.routedAmount, node)) {
                watches.add(new Blocker(platformModel, binding.routedAmount));
                why = platformModel.lacking(binding.routedAmount);
            } else if (mustBeFront(platformModel) && isBehind(platformModel, node)) {
                watches.add(new Blocker(platformModel, 0));
                why = platformModel.behindOthers;
            } else {
                int chosen = choose(route, candidate, binding, node);
                if (chosen >= 0) {
                    return fitsAs(binding.footprint(candidate, chosen));
                }
                why = watchProviders(candidate, binding, watches);
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
     *
     * @return the index of the candidate, -1 for none
     */
    private static int choose(RouteState route, RouteState.Entry entry, Binding binding, Node node) {
        List<ProviderSlots> candidates = entry.candidates();
        if (candidates.size() == 1) {
            return canTake(candidates.getFirst(), binding, node) ? 0 : -1;
        }
        int bestAt = -1;
        ProviderSlots best = null;
        boolean bestIsNext = false;
        boolean isNext = false;
        for (int i = 0; i < candidates.size(); i++) {
            ProviderSlots candidate = candidates.get(i);
            isNext = isNext || candidate.id.compareTo(route.lastChosen) > 0;
            if (!canTake(candidate, binding, node)) {
                continue;
            }
            int order = best == null ? -1 : compare(candidate, best);
            if (order < 0 || (order == 0 && isNext && !bestIsNext)) {
                best = candidate;
                bestAt = i;
                bestIsNext = isNext;
            }
        }
        return bestAt;
    }

    private static boolean canTake(ProviderSlots candidate, Binding binding, Node node) {
        Share share = binding.key.share();
        return candidate.slots.hasRoom(Amount.ONE, node)
                && (!binding.isLong || candidate.longSlots.hasRoom(Amount.ONE, node))
                && (share == Share.WHOLE || candidate.of(share).hasRoom(Amount.ONE, node));
    }

    private static int compare(ProviderSlots a, ProviderSlots b) {
        int byLoad = Long.compare(a.slots.active, b.slots.active);
        return byLoad != 0 ? byLoad : Integer.compare(a.priority(), b.priority());
    }

    private static WaitReason watchProviders(RouteState.Entry entry, Binding binding, List<Blocker> watches) {
        boolean live = false;
        boolean longOnly = false;
        boolean reserved = false;
        for (ProviderSlots candidate : entry.candidates()) {
            live |= candidate.isLive();
            ScopeState lacking = candidate.slots;
            if (lacking.fits(Amount.ONE)) {
                boolean lacksLong = binding.isLong && !candidate.longSlots.fits(Amount.ONE);
                longOnly |= lacksLong;
                reserved |= !lacksLong;
                lacking = lacksLong ? candidate.longSlots : candidate.of(binding.key.share());
            }
            watches.add(new Blocker(lacking, Amount.ONE));
        }
        if (longOnly) {
            return WaitReason.of(WaitReason.Kind.LONG_CONTEXT_CAPACITY_FULL);
        }
        if (reserved) {
            return WaitReason.of(WaitReason.Kind.CAPACITY_RESERVED);
        }
        return WaitReason.of(live ? WaitReason.Kind.CAPACITY_FULL : WaitReason.Kind.NO_LIVE_PROVIDER);
    }

    private boolean blocked(List<Blocker> watches, WaitReason why) {
        blockers = watches;
        reason = why;
        return false;
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
