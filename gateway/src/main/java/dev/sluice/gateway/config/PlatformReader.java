package dev.sluice.gateway.config;

import dev.sluice.admission.Reserve;
import dev.sluice.gateway.config.References.Kind;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code platforms}. */
final class PlatformReader {
    private static final String UNKNOWN = "unknown";
    private static final URI NOWHERE = URI.create("http://unknown");

    private enum Type {
        OPENAI,
        ANTHROPIC,
        SIMULATED
    }

    private PlatformReader() {}

    static List<Platform> read(Section file) {
        List<Platform> platforms = file.sections("platforms", "required").stream()
                .map(PlatformReader::platform)
                .toList();
        new Fields(file).require("platforms");
        return platforms;
    }

    private static Platform platform(Section section) {
        try (section) {
            Fields fields = new Fields(section);
            String id = new Ids(section).declare(Kind.PLATFORM).orElse(UNKNOWN);
            List<Provider> providers = section.sections("providers", "required").stream()
                    .map(PlatformReader::provider)
                    .toList();
            fields.require("providers");
            return new Platform(id, providers);
        }
    }

    private static Provider provider(Section section) {
        try (section) {
            Fields fields = new Fields(section);
            String id = new Ids(section).declare(Kind.PROVIDER).orElse(UNKNOWN);
            String node = fields.text("node", "the id").orElse(id);
            Upstream upstream = upstream(section, fields);
            int capacity = fields.requiredWhole("capacity", Provider.CAPACITY);
            return new Provider(
                    id,
                    node,
                    upstream,
                    capacity,
                    fields.whole("long-context-capacity", Provider.LONG_CONTEXT_CAPACITY, 0),
                    fields.whole("priority", Provider.PRIORITY, 0),
                    fields.flag("enabled", true),
                    reserve(section, capacity));
        }
    }

    private static Reserve reserve(Section provider, int capacity) {
        Reserve reserve =
                provider.section("reserve", "none").map(PlatformReader::reserve).orElse(Reserve.NONE);
        if (reserve.fitsInto(capacity)) {
            return reserve;
        }
        provider.fault(
                "reserve",
                "keeps " + reserve.sync() + " and " + reserve.async() + " of a capacity of " + capacity
                        + ": together they may keep all of it, and each must leave the other kind of work a slot");
        return Reserve.NONE;
    }

    private static Reserve reserve(Section section) {
        try (section) {
            Fields fields = new Fields(section);
            return new Reserve(
                    fields.whole("interactive", Provider.RESERVE, 0), fields.whole("background", Provider.RESERVE, 0));
        }
    }

    private static Upstream upstream(Section section, Fields fields) {
        Optional<Type> type = fields.chosen("type", Type.class, Type.OPENAI);
        if (type.isEmpty()) {
            section.unjudged("base-url", "api-key", "simulated");
            return new Upstream.OpenAi(NOWHERE, Optional.empty());
        }
        return switch (type.get()) {
            case OPENAI -> new Upstream.OpenAi(url(section, fields), fields.secret("api-key"));
            case ANTHROPIC -> new Upstream.Anthropic(versioned(url(section, fields)), fields.secret("api-key"));
            case SIMULATED -> {
                section.misplaced("base-url", "belongs to the types openai and anthropic");
                section.misplaced("api-key", "belongs to the types openai and anthropic");
                yield section.section("simulated", "all defaults")
                        .map(PlatformReader::simulated)
                        .orElse(Upstream.Simulated.DEFAULT);
            }
        };
    }

    private static URI url(Section section, Fields fields) {
        section.misplaced("simulated", "belongs to type simulated");
        Optional<URI> url = section.value("base-url", "required").flatMap(value -> baseUrl(fields, value));
        fields.require("base-url");
        return url.orElse(NOWHERE);
    }

    /** The clients of this API take a base URL without its version; a file written for them works as well. */
    private static URI versioned(URI url) {
        return url.getRawPath().isEmpty() ? URI.create(url + "/v1") : url;
    }

    private static Upstream.Simulated simulated(Section section) {
        try (section) {
            Fields fields = new Fields(section);
            Upstream.Simulated byDefault = Upstream.Simulated.DEFAULT;
            return new Upstream.Simulated(
                    fields.duration(
                            "time-to-first-token",
                            Upstream.Simulated.TIME_TO_FIRST_TOKEN,
                            byDefault.timeToFirstToken()),
                    fields.decimal(
                            "tokens-per-second", Upstream.Simulated.TOKENS_PER_SECOND, byDefault.tokensPerSecond()),
                    fields.decimal("jitter", Upstream.Simulated.SHARE, byDefault.jitter()),
                    fields.decimal("failure-rate", Upstream.Simulated.SHARE, byDefault.failureRate()),
                    fields.whole("tokens-per-chunk", Upstream.Simulated.TOKENS_PER_CHUNK, byDefault.tokensPerChunk()),
                    fields.wholeLong("seed", Upstream.Simulated.SEED, byDefault.seed()),
                    fields.optionalWhole("capacity", Upstream.Simulated.CAPACITY, "unlimited")
                            .map(OptionalInt::of)
                            .orElseGet(OptionalInt::empty));
        }
    }

    // The URL is shown nowhere: an operator may have put a password into it.
    private static Optional<URI> baseUrl(Fields fields, Value value) {
        try {
            URI url = new URI(value.text().replaceAll("/+$", ""));
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (url.getRawUserInfo() != null || url.getRawQuery() != null || url.getRawFragment() != null) {
                fields.complain(value, "must not hold a user, `?` or `#`; a key belongs into `api-key`");
            } else if (!http || url.getHost() == null || url.getPort() > 65_535) {
                fields.complain(value, "must be a URL such as `https://host:8000/v1`");
            } else {
                return Optional.of(url);
            }
        } catch (URISyntaxException e) {
            fields.complain(value, "must be a URL such as `https://host:8000/v1`");
        }
        return Optional.empty();
    }
}
