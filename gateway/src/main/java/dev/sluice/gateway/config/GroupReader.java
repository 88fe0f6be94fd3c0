package dev.sluice.gateway.config;

import dev.sluice.gateway.config.References.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code groups}. */
final class GroupReader {
    private static final String UNKNOWN = "unknown";
    private static final String NO_HASH = "0".repeat(64);

    private final Map<String, Integer> hashes = new HashMap<>();

    static List<Group> read(Section file) {
        GroupReader reader = new GroupReader();
        List<Group> groups =
                file.sections("groups", "required").stream().map(reader::group).toList();
        new Fields(file).require("groups");
        return groups;
    }

    private Group group(Section section) {
        try (section) {
            Fields fields = new Fields(section);
            Ids ids = new Ids(section);
            String id = ids.declare(Kind.GROUP).orElse(UNKNOWN);
            Optional<Rate> rate = section.section("rate", "unlimited").map(GroupReader::rate);
            refusePending(section);
            int priority = fields.whole("priority", Group.PRIORITY, Group.DEFAULT_PRIORITY);
            return new Group(
                    id,
                    ConcurrencyReader.ofGroup(section),
                    rate,
                    priority,
                    bestPriority(section, fields, priority),
                    fields.whole("weight", Group.WEIGHT, Group.DEFAULT_WEIGHT),
                    section.values("models", "all").stream()
                            .map(value -> ids.use(Kind.MODEL, value))
                            .toList(),
                    keys(section),
                    fields.optionalSize("files-quota", Files.QUOTA, "the general one"),
                    WebhookReader.ofGroup(section));
        }
    }

    private static void refusePending(Section section) {
        Reading reading = section.reading();
        Map.of("rate", Pending.RATE, "weight", Pending.WEIGHT).forEach((key, feature) -> {
            if (section.has(key)) {
                reading.needs(feature, section.line(key));
            }
        });
    }

    private static int bestPriority(Section section, Fields fields, int priority) {
        int best = fields.optionalWhole("best-priority", Group.PRIORITY, "the priority")
                .orElse(priority);
        if (best > priority) {
            section.fault(
                    "best-priority",
                    "must not be greater than the priority " + priority + " (a lower number runs sooner), but is `"
                            + best + "`");
            return priority;
        }
        return best;
    }

    private static Rate rate(Section section) {
        try (section) {
            Fields fields = new Fields(section);
            return new Rate(
                    fields.wholeLong("requests-per-minute", Rate.PER_MINUTE, 0),
                    fields.wholeLong("tokens-per-minute", Rate.PER_MINUTE, 0));
        }
    }

    private List<Key> keys(Section section) {
        Set<String> names = new HashSet<>();
        return section.sections("keys", "none").stream()
                .map(item -> key(item, names))
                .toList();
    }

    private Key key(Section section, Set<String> names) {
        try (section) {
            Fields fields = new Fields(section);
            Optional<String> name = fields.text("name", "required");
            fields.require("name");
            if (name.isPresent() && !names.add(name.get())) {
                section.fault("name", "`" + name.get() + "` is given to two keys of the group");
            }
            Optional<Value> sha256 = section.value("sha256", "required");
            fields.require("sha256");
            return new Key(
                    name.orElse(UNKNOWN),
                    sha256.flatMap(value -> hash(fields, value)).orElse(NO_HASH));
        }
    }

    // What stands here may be the key itself, so no message shows it.
    private Optional<String> hash(Fields fields, Value value) {
        if (!Key.isSha256(value.text())) {
            fields.complain(
                    value,
                    value.text().startsWith("sk-")
                            ? "holds the key itself; replace it, and write the hash that `./sluice key` prints"
                            : "must be 64 lower-case hex digits, as `./sluice key` prints them");
            return Optional.empty();
        }
        Integer first = hashes.putIfAbsent(value.text(), value.line());
        if (first != null) {
            fields.complain(value, "is that of the key in line " + first + "; each key is its own");
        }
        return Optional.of(value.text());
    }
}
