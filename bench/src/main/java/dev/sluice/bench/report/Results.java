package dev.sluice.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Writes the JSON beside the text that a benchmark prints; {@code bench/run} says where, and on what machine. */
public final class Results {
    private static final String PREFIX = "bench.";

    private final Map<String, Object> content = new LinkedHashMap<>();

    public Results() {
        for (String about : new String[] {"date", "commit", "machine", "java"}) {
            content.put(about, System.getProperty(PREFIX + about, "unknown"));
        }
    }

    public void put(String name, Object value) {
        content.put(name, value);
    }

    /** Writes {@code bench.result}.json, if bench/run gave a name. */
    public void write() {
        String name = System.getProperty(PREFIX + "result", "");
        if (name.isEmpty()) {
            return;
        }
        try {
            JsonMapper json = JsonMapper.builder().build();
            Files.writeString(
                    Path.of(name + ".json"),
                    json.writerWithDefaultPrettyPrinter().writeValueAsString(content) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An option of a benchmark, given to bench/run as {@code name=value}. */
    public static int option(String name, int otherwise) {
        return Integer.getInteger(PREFIX + name, otherwise);
    }

    /** As {@link #option(String, int)}. */
    public static String option(String name, String otherwise) {
        return System.getProperty(PREFIX + name, otherwise);
    }
}
