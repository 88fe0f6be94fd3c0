package dev.sluice.admission;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Why a task waits, in the words that explain views, tasks and queue comments show.
 *
 * @param scope the scope that lacks room, present for {@link Kind#SCOPE} and for {@link Kind#BEHIND_OTHERS} in strict
 *     ordering
 */
public record WaitReason(Kind kind, Optional<Scope> scope) {
    /** The kinds of reason, as operators and clients see them. */
    public enum Kind {
        /** Every candidate provider is full. */
        CAPACITY_FULL,
        /** A candidate has a slot, but keeps it for tasks of the other kind: synchronous or asynchronous. */
        CAPACITY_RESERVED,
        /** A candidate has room for a normal request, but no long-context slot. */
        LONG_CONTEXT_CAPACITY_FULL,
        /** A scope lacks room. */
        SCOPE,
        /** There is room, but an earlier task has the right to it. */
        BEHIND_OTHERS,
        /** Every candidate provider is down. */
        NO_LIVE_PROVIDER,
        /** The connection left and its place is kept for a while. */
        DETACHED
    }

    private static final List<WaitReason> WITHOUT_SCOPE = Arrays.stream(Kind.values())
            .map(kind -> new WaitReason(kind, Optional.empty()))
            .toList();

    static WaitReason of(Kind kind) {
        return WITHOUT_SCOPE.get(kind.ordinal());
    }

    static WaitReason of(Kind kind, Scope scope) {
        return new WaitReason(kind, Optional.of(scope));
    }

    /** For example {@code scope:user_group} or {@code capacity_full}. */
    public String text() {
        return switch (kind) {
            case CAPACITY_FULL -> "capacity_full";
            case CAPACITY_RESERVED -> "capacity_reserved";
            case LONG_CONTEXT_CAPACITY_FULL -> "long_context_capacity_full";
            case SCOPE -> "scope:" + scope.map(Scope::type).orElse("unknown");
            case BEHIND_OTHERS -> "behind_others";
            case NO_LIVE_PROVIDER -> "no_live_provider";
            case DETACHED -> "detached";
        };
    }
}
