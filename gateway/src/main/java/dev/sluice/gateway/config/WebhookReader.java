package dev.sluice.gateway.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads {@code webhooks} of groups and of the file. */
final class WebhookReader {
    private static final String UNKNOWN = "unknown";
    private static final URI NOWHERE = URI.create("http://unknown/");
    private static final Secret NONE = new Secret("none");
    private static final int LENGTH_MAX = 2_000;

    private WebhookReader() {}

    static Webhooks settings(Section file) {
        return file.settings("webhooks", Webhooks.DEFAULT, section -> {
            return new Webhooks(new Fields(section).flag("allow-private", Webhooks.DEFAULT.allowPrivate()));
        });
    }

    static List<Webhook> ofGroup(Section group) {
        Set<String> ids = new HashSet<>();
        return group.sections("webhooks", "none").stream()
                .map(item -> webhook(item, ids))
                .toList();
    }

    private static Webhook webhook(Section section, Set<String> ids) {
        try (section) {
            Fields fields = new Fields(section);
            Optional<Value> id = section.value("id", "required");
            fields.require("id");
            id.ifPresent(value -> {
                if (!Names.isId(value.text())) {
                    fields.complain(
                            value,
                            "must be letters, digits, `.`, `_` or `-`, beginning with a letter or digit, but is `"
                                    + value.shown() + "`");
                } else if (!ids.add(value.text())) {
                    fields.complain(value, "`" + value.shown() + "` is given to two webhooks of the group");
                }
            });
            Optional<URI> url = section.value("url", "required").flatMap(value -> url(fields, value));
            fields.require("url");
            Optional<Secret> secret = secret(fields, section.value("secret", "required"));
            fields.require("secret");
            return new Webhook(
                    id.map(Value::text).orElse(UNKNOWN),
                    url.orElse(NOWHERE),
                    secret.orElse(NONE),
                    secret(fields, section.value("previous-secret", "none")));
        }
    }

    // Neither the URL nor the secret is shown: a path may hold a token.
    private static Optional<URI> url(Fields fields, Value value) {
        try {
            URI url = new URI(value.text());
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
                fields.complain(value, "must not hold a user or `#`; messages are signed with `secret`");
            } else if (!http
                    || url.getHost() == null
                    || url.getPort() > 65_535
                    || value.text().length() > LENGTH_MAX) {
                fields.complain(value, "must be a URL such as `https://host/path`");
            } else {
                return Optional.of(url);
            }
        } catch (URISyntaxException e) {
            fields.complain(value, "must be a URL such as `https://host/path`");
        }
        return Optional.empty();
    }

    private static Optional<Secret> secret(Fields fields, Optional<Value> given) {
        return given.filter(value -> {
                    boolean signs = Webhook.key(value.text()).isPresent();
                    if (!signs) {
                        fields.complain(value, "must be `whsec_` and 24 to 64 random bytes in base64");
                    }
                    return signs;
                })
                .map(value -> new Secret(value.text()));
    }
}
