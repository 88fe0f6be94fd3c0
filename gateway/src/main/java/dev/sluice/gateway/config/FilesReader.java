package dev.sluice.gateway.config;

/** Reads {@code files} and {@code batches}. */
final class FilesReader {
    private FilesReader() {}

    static Files files(Section file) {
        return file.settings("files", Files.DEFAULT, section -> {
            Fields fields = new Fields(section);
            Files byDefault = Files.DEFAULT;
            return new Files(
                    fields.size("max-size", Files.MAX_SIZE, byDefault.maxSizeBytes()),
                    fields.size("quota", Files.QUOTA, byDefault.quotaBytes()),
                    fields.duration("retention", Files.RETENTION, byDefault.retention()));
        });
    }

    static Batches batches(Section file) {
        return file.settings("batches", Batches.DEFAULT, section -> {
            Fields fields = new Fields(section);
            Batches byDefault = Batches.DEFAULT;
            return new Batches(
                    fields.whole("max-lines", Batches.MAX_LINES, byDefault.maxLines()),
                    fields.optionalWhole("waiting", Batches.WAITING, "twice workers.slots"),
                    fields.whole("priority-offset", Group.PRIORITY, byDefault.priorityOffset()));
        });
    }
}
