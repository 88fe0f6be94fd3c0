package dev.sluice.gateway.config;

import dev.sluice.gateway.config.References.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code models}. */
final class ModelReader {
    private static final String UNKNOWN = "unknown";

    /** The limits of one platform model, and where they are stated. */
    private record Stated(Concurrency concurrency, int line) {}

    private final Map<String, Stated> stated = new HashMap<>();

    static List<Model> read(Section file) {
        return new ModelReader().models(file);
    }

    private List<Model> models(Section file) {
        List<Model> models =
                file.sections("models", "required").stream().map(this::model).toList();
        new Fields(file).require("models");
        return models.stream().map(this::withStatedLimits).toList();
    }

    private Model model(Section section) {
        try (section) {
            Fields fields = new Fields(section);
            long amount = fields.thousandths("amount", Model.AMOUNT_THOUSANDTHS, Model.AMOUNT_ONE);
            String id = new Ids(section).declare(Kind.MODEL).orElse(UNKNOWN);
            List<Section> entries = section.sections("served-by", "required");
            fields.require("served-by");
            Set<String> taken = new HashSet<>();
            List<ServedBy> servedBy = new ArrayList<>();
            for (Section entry : entries) {
                boolean last = servedBy.size() == entries.size() - 1;
                servedBy.add(servedBy(entry, taken, last, amount));
            }
            return new Model(
                    id,
                    fields.whole("long-context-tokens", Model.LONG_CONTEXT_TOKENS, 0),
                    amount,
                    SettingsReader.dispatchOfModel(section),
                    servedBy);
        }
    }

    private ServedBy servedBy(Section section, Set<String> taken, boolean last, long amount) {
        try (section) {
            Fields fields = new Fields(section);
            Optional<String> platform = new Ids(section).use(Kind.PLATFORM, "platform");
            Optional<String> model = fields.text("model", "required");
            fields.require("model");
            Optional<Concurrency> concurrency = ConcurrencyReader.ofPlatformModel(section);
            ServedBy entry = new ServedBy(
                    platform.filter(Names::isLabel).orElse(UNKNOWN),
                    model.orElse(UNKNOWN),
                    concurrency.orElse(Concurrency.UNLIMITED),
                    fields.duration("spill-after", ServedBy.SPILL_AFTER, Duration.ZERO));
            if (last && section.has("spill-after")) {
                section.fault("spill-after", "has no effect: no entry follows that could be spilled to");
            }
            if (platform.isPresent() && model.isPresent()) {
                if (!taken.add(entry.scopeKey())) {
                    section.fault("model", "`" + entry.scopeKey() + "` serves this model twice");
                }
                concurrency.ifPresent(limits -> state(section, entry.scopeKey(), limits, amount));
            }
            return entry;
        }
    }

    private void state(Section section, String scopeKey, Concurrency limits, long amount) {
        int line = section.line("concurrency");
        Stated first = stated.putIfAbsent(scopeKey, new Stated(limits, line));
        if (first != null && !first.concurrency.equals(limits)) {
            section.fault(
                    "concurrency",
                    "of `" + scopeKey + "` differs from line " + first.line + "; state it once, or the same");
        }
        if (limits.limited() && amount > limits.limit() * Model.AMOUNT_ONE) {
            section.fault("concurrency", "has a `limit` below the model's `amount`: no request could ever run");
        }
    }

    // Models that share a platform model share its limits, also when just one of them states them.
    private Model withStatedLimits(Model model) {
        List<ServedBy> entries = model.servedBy().stream()
                .map(entry -> Optional.ofNullable(stated.get(entry.scopeKey()))
                        .map(limits ->
                                new ServedBy(entry.platform(), entry.model(), limits.concurrency, entry.spillAfter()))
                        .orElse(entry))
                .toList();
        return new Model(model.id(), model.longContextTokens(), model.amountThousandths(), model.dispatch(), entries);
    }
}
