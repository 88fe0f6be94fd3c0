package dev.sluice.admission;

import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The queues that watch one scope, grouped by the amount their tasks need of it. A release looks at the earliest queue
 * of each amount that fits, so many large tasks that still do not fit cost nothing.
 */
final class Watchers {
    /** An amount that nobody needs now is kept, since it is likely to come again, up to so many of them. */
    private static final int AMOUNTS_MAX = 16;

    /** Most scopes know one amount only, and it needs no tree. */
    private long usual;

    private final Heads ofUsual = new Heads();
    private @Nullable TreeMap<Long, Heads> others;
    private int size;

    /** Puts a queue in, or to where it belongs after its head has changed. */
    void put(Heads.Place place) {
        if (!place.isIn()) {
            size++;
        }
        of(place.amount).put(place);
    }

    void remove(Heads.Place place) {
        if (place.isIn()) {
            size--;
            of(place.amount).remove(place);
        }
    }

    private Heads of(long amount) {
        if (usual == 0) {
            usual = amount;
        }
        return amount == usual ? ofUsual : ofOther(amount);
    }

    private Heads ofOther(long amount) {
        if (others == null) {
            others = new TreeMap<>();
        }
        Heads same = others.get(amount);
        if (same == null) {
            if (others.size() >= AMOUNTS_MAX) {
                others.values().forEach(Heads::sort);
                others.values().removeIf(Heads::isEmpty);
            }
            same = new Heads();
            others.put(amount, same);
        }
        return same;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The one with the earliest head, whether there is room for it or not. */
    Heads.@Nullable Place first() {
        return first(any -> true);
    }

    /** The one with the earliest head of those that need more than {@code scope} has. */
    Heads.@Nullable Place firstWithoutRoom(ScopeState scope) {
        return first(place -> !scope.fits(place.amount));
    }

    private Heads.@Nullable Place first(Predicate<Heads.Place> counts) {
        Heads.Place usualFirst = ofUsual.first();
        Heads.Place earliest = usualFirst != null && counts.test(usualFirst) ? usualFirst : null;
        if (others != null) {
            for (Heads heads : others.values()) {
                Heads.Place first = heads.first();
                if (first != null
                        && counts.test(first)
                        && (earliest == null || first.binding.headBefore(earliest.binding))) {
                    earliest = first;
                }
            }
        }
        return earliest;
    }

    /** Whether a task before {@code node} needs more than {@code scope} has. */
    boolean lackRoomBefore(ScopeState scope, Node node) {
        if (isBefore(ofUsual, scope, node)) {
            return true;
        }
        return others != null && others.values().stream().anyMatch(heads -> isBefore(heads, scope, node));
    }

    private static boolean isBefore(Heads heads, ScopeState scope, Node node) {
        Heads.Place first = heads.first();
        return first != null && !scope.fits(first.amount) && first.binding.isBefore(node);
    }

    void forEach(Consumer<Heads> action) {
        action.accept(ofUsual);
        if (others != null) {
            others.values().forEach(action);
        }
    }

    /** The earliest queue for whose head {@code scope} has room. */
    @Nullable
    Binding first(ScopeState scope) {
        if (size == 0) {
            return null;
        }
        Binding earliest = first(ofUsual, usual, scope);
        if (others != null) {
            for (var entry : others.entrySet()) {
                if (!scope.fits(entry.getKey())) {
                    break;
                }
                Binding first = first(entry.getValue(), entry.getKey(), scope);
                if (first != null && (earliest == null || first.headBefore(earliest))) {
                    earliest = first;
                }
            }
        }
        return earliest;
    }

    /** If the first of an amount must leave room for a starved task, so must all behind it. */
    private static @Nullable Binding first(Heads heads, long amount, ScopeState scope) {
        if (heads.isEmpty() || !scope.fits(amount)) {
            return null;
        }
        Heads.Place first = heads.first();
        return first != null && scope.hasRoom(amount, first.binding.front()) ? first.binding : null;
    }
}
