package dev.sluice.gateway.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads {@code database}. Which keys have a place depends on {@code mode}. */
final class DatabaseReader {
    private enum Mode {
        EMBEDDED,
        EXTERNAL,
        MEMORY
    }

    private DatabaseReader() {}

    static Database read(Section file) {
        Optional<Section> given = file.section("database", "mode `embedded`");
        if (given.isEmpty()) {
            return new Database.Embedded(Database.DIR, Optional.empty(), Database.POOL_SIZE);
        }
        try (Section section = given.get()) {
            Fields fields = new Fields(section);
            return switch (fields.choice("mode", Mode.class, Mode.EMBEDDED)) {
                case MEMORY -> memory(section);
                case EMBEDDED -> embedded(section, fields);
                case EXTERNAL -> external(section, fields);
            };
        }
    }

    private static Database memory(Section section) {
        section.misplaced("dir", "belongs to mode embedded");
        section.misplaced("user", "belongs to the modes embedded and external");
        section.misplaced("pool-size", "belongs to the modes embedded and external");
        misplaceExternal(section);
        return new Database.Memory();
    }

    private static Database embedded(Section section, Fields fields) {
        misplaceExternal(section);
        return new Database.Embedded(
                fields.text("dir", "./" + Database.DIR)
                        .map(text -> path(section, text))
                        .orElse(Database.DIR),
                fields.text("user", "none"),
                fields.whole("pool-size", Database.POOL_SIZES, Database.POOL_SIZE));
    }

    private static Database external(Section section, Fields fields) {
        section.misplaced("dir", "belongs to mode embedded");
        Optional<String> url = url(section, fields, "url", "required");
        fields.require("url");
        return new Database.External(
                url.orElse("jdbc:postgresql://unknown/"),
                url(section, fields, "direct-url", "url"),
                fields.text("schema", Database.SCHEMA).orElse(Database.SCHEMA),
                fields.text("user", "none"),
                fields.secret("password"),
                fields.whole("pool-size", Database.POOL_SIZES, Database.POOL_SIZE));
    }

    private static void misplaceExternal(Section section) {
        for (String key : new String[] {"url", "direct-url", "schema", "password"}) {
            section.misplaced(key, "belongs to mode external");
        }
    }

    // The URL may hold a password, so no message shows it.
    private static Optional<String> url(Section section, Fields fields, String key, String defaultText) {
        return section.value(key, defaultText)
                .filter(value -> {
                    boolean good = Database.External.isUrl(value.text());
                    if (!good) {
                        fields.complain(value, "must be a URL such as `jdbc:postgresql://host/database`");
                    }
                    return good;
                })
                .map(Value::text);
    }

    private static Path path(Section section, String text) {
        try {
            return Path.of(text).normalize();
        } catch (InvalidPathException e) {
            section.fault("dir", "is no path of this system");
            return Database.DIR;
        }
    }
}
