package dev.sluice.gateway.config;

import java.util.Optional;

/** Reads {@code files} and {@code batches}. */
final class FilesReader {
    private FilesReader() {}

    static Files files(Section file) {
        Optional<Section> given = file.section("files", "all defaults");
        if (given.isEmpty()) {
            return Files.DEFAULT;
        }
        try (Section section = given.get()) {
            Fields fields = new Fields(section);
            Files byDefault = Files.DEFAULT;
            return new Files(
                    fields.size("max-size", Files.MAX_SIZE, byDefault.maxSizeBytes()),
                    fields.size("quota", Files.QUOTA, byDefault.quotaBytes()),
                    fields.duration("retention", Files.RETENTION, byDefault.retention()));
        }
    }

    static Batches batches(Section file) {
        Optional<Section> given = file.section("batches", "all defaults");
        if (given.isEmpty()) {
            return Batches.DEFAULT;
        }
        try (Section section = given.get()) {
            Fields fields = new Fields(section);
            Batches byDefault = Batches.DEFAULT;
            return new Batches(
                    fields.whole("max-lines", Batches.MAX_LINES, byDefault.maxLines()),
                    fields.optionalWhole("waiting", Batches.WAITING, "twice workers.slots"),
                    fields.whole("priority-offset", Group.PRIORITY, byDefault.priorityOffset()));
        }
    }
}
