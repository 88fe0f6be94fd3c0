package dev.sluice.gateway.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The configuration by id and by key, for look-ups on each request. Immutable. */
public final class Directory {
    /** Whose key it is. */
    public record Holder(Group group, Key key) {}

    private final Configuration configuration;
    private final Map<String, Model> models = new HashMap<>();
    private final Map<String, Provider> providers = new HashMap<>();
    private final Map<String, Group> groups = new HashMap<>();
    private final Map<String, Holder> holders = new HashMap<>();

    public Directory(Configuration configuration) {
        this.configuration = configuration;
        configuration.models().forEach(model -> models.put(model.id(), model));
        configuration
                .platforms()
                .forEach(platform -> platform.providers().forEach(provider -> providers.put(provider.id(), provider)));
        for (Group group : configuration.groups()) {
            groups.put(group.id(), group);
            group.keys().forEach(key -> holders.put(key.sha256(), new Holder(group, key)));
        }
    }

    public Configuration configuration() {
        return configuration;
    }

    public Optional<Model> model(String id) {
        return Optional.ofNullable(models.get(id));
    }

    public Optional<Provider> provider(String id) {
        return Optional.ofNullable(providers.get(id));
    }

    public Optional<Group> group(String id) {
        return Optional.ofNullable(groups.get(id));
    }

    /**
     * Who holds a key that a client presents. Only its hash is compared, so the time taken tells nothing about a key:
     * who does not know it cannot choose its hash.
     */
    public Optional<Holder> holder(String presentedKey) {
        return Optional.ofNullable(holders.get(ApiKey.sha256(presentedKey)));
    }
}
