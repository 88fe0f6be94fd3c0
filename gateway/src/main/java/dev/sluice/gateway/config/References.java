package dev.sluice.gateway.config;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The ids a file declares and the places that name them; a place may come before its declaration. */
final class References {
    enum Kind {
        PLATFORM("platform"),
        PROVIDER("provider"),
        MODEL("model"),
        GROUP("group");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    private record Use(Kind kind, Value value) {}

    private final Faults faults;
    private final Map<Kind, Map<String, Integer>> declared = new EnumMap<>(Kind.class);
    private final List<Use> uses = new ArrayList<>();

    References(Faults faults) {
        this.faults = faults;
    }

    void declare(Kind kind, Value id) {
        Integer first =
                declared.computeIfAbsent(kind, k -> new LinkedHashMap<>()).putIfAbsent(id.text(), id.line());
        if (first != null) {
            faults.add(id.line(), kind.word + " `" + id.shown() + "` is given twice, first in line " + first);
        }
    }

    void use(Kind kind, Value value) {
        uses.add(new Use(kind, value));
    }

    /** To be called once all is read. */
    void resolve() {
        for (Use use : uses) {
            // To look for the nearest of many ids costs time that nobody waits for once the list is full.
            if (faults.full()) {
                return;
            }
            Map<String, Integer> known = declared.getOrDefault(use.kind, Map.of());
            Value value = use.value;
            // Where nothing is declared at all, that is the one fault to tell.
            if (!known.isEmpty() && !known.containsKey(value.text())) {
                faults.add(
                        value.line(),
                        "`" + value.key() + "` names the " + use.kind.word + " `" + value.shown()
                                + "`, which does not exist" + Nearest.hint(value.shown(), known.keySet()));
            }
        }
    }
}
