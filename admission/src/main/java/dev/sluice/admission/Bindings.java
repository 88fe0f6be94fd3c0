package dev.sluice.admission;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** All queues by what their tasks need, the idle ones too: the next task of the same kind finds everything resolved. */
final class Bindings {
    /** Idle queues kept to spare their creation, about 500 bytes each; a bound, not a tuning. */
    private static final int IDLE_MAX = 65_536;

    private final Map<Binding.Key, Binding> all = new HashMap<>();
    private int used;

    /** @param waitedNanos opens the later entries of a route to a task */
    Binding get(Ask ask, long waitedNanos, Book book) {
        Binding first =
                get(new Binding.Key(ask.demands(), ask.routing().orElse(null), 0, shareOf(ask, book)), ask, book);
        int stage = first.route == null ? 0 : first.route.stage(waitedNanos);
        return stage == 0 ? first : get(first.key.at(stage), ask, book);
    }

    private static Share shareOf(Ask ask, Book book) {
        return book.reserves ? Share.of(ask) : Share.WHOLE;
    }

    private Binding get(Binding.Key key, Ask ask, Book book) {
        Binding binding = all.get(key);
        if (binding == null) {
            if (all.size() - used > IDLE_MAX) {
                dropIdle();
            }
            Routing routing = key.routing();
            RouteState route = routing == null ? null : book.routes.get(routing.route());
            binding = new Binding(key, book.scopesOf(ask), route);
            all.put(key, binding);
        }
        return binding;
    }

    /** Counts queues that somebody stands in: {@code by} is 1 or -1. */
    void use(int by) {
        used += by;
    }

    Collection<Binding> all() {
        return all.values();
    }

    void dropIdle() {
        all.values().removeIf(binding -> binding.isEmpty());
    }

    void clear() {
        all.clear();
    }
}
