package dev.sluice.gateway.translation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * The fields of one object of a request, taken one by one; {@link #done} refuses by name what nobody took. So a field
 * that the translation does not know cannot get lost.
 */
final class Fields {
    private final JsonNode node;
    private final String path;
    private final Set<String> left = new LinkedHashSet<>();

    Fields(JsonNode node, String path) throws Untranslatable {
        if (!node.isObject()) {
            throw new Untranslatable(path, "'" + path + "' must be an object.");
        }
        this.node = node;
        this.path = path;
        node.forEachEntry((name, value) -> {
            if (!value.isNull()) {
                left.add(name);
            }
        });
    }

    String path(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    String path() {
        return path;
    }

    Untranslatable refuse(String name, String why) {
        return new Untranslatable(
                path(name),
                "'" + path(name) + "' cannot be translated for this model's providers, which speak another API: " + why
                        + ". Leave it out, or ask a model whose providers speak the API of this request.");
    }

    private Untranslatable wrong(String name, String kind) {
        return new Untranslatable(path(name), "'" + path(name) + "' must be " + kind + ".");
    }

    /** {@code null} stands for a field that is left out. */
    Optional<JsonNode> take(String name) {
        return left.remove(name) ? Optional.of(node.path(name)) : Optional.empty();
    }

    JsonNode need(String name) throws Untranslatable {
        return take(name).orElseThrow(() -> new Untranslatable(path(name), "'" + path(name) + "' is missing."));
    }

    String text(String name) throws Untranslatable {
        JsonNode value = need(name);
        if (!value.isString()) {
            throw wrong(name, "a string");
        }
        return value.stringValue();
    }

    Optional<String> optionalText(String name) throws Untranslatable {
        return left.contains(name) ? Optional.of(text(name)) : Optional.empty();
    }

    boolean flag(String name) throws Untranslatable {
        Optional<JsonNode> value = take(name);
        if (value.isPresent() && !value.get().isBoolean()) {
            throw wrong(name, "a boolean");
        }
        return value.isPresent() && value.get().booleanValue();
    }

    Optional<Fields> object(String name) throws Untranslatable {
        Optional<JsonNode> value = take(name);
        return value.isPresent() ? Optional.of(new Fields(value.get(), path(name))) : Optional.empty();
    }

    Fields needObject(String name) throws Untranslatable {
        return new Fields(need(name), path(name));
    }

    /** The objects of an array; none if it is left out. */
    List<Fields> objects(String name) throws Untranslatable {
        Optional<JsonNode> value = take(name);
        return value.isPresent() ? objects(value.get(), path(name)) : List.of();
    }

    static List<Fields> objects(JsonNode array, String path) throws Untranslatable {
        if (!array.isArray()) {
            throw new Untranslatable(path, "'" + path + "' must be an array.");
        }
        List<Fields> objects = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            objects.add(new Fields(array.get(i), path + "[" + i + "]"));
        }
        return objects;
    }

    /** Takes a field that has no counterpart, but may ask for what happens anyway. */
    void onlyIf(String name, Predicate<JsonNode> same) throws Untranslatable {
        Optional<JsonNode> value = take(name);
        if (value.isPresent() && !same.test(value.get())) {
            throw refuse(name, "this value has no counterpart");
        }
    }

    /** Nothing may be left. */
    void done() throws Untranslatable {
        for (String name : left) {
            throw refuse(name, "it has no counterpart");
        }
    }
}
