package dev.sluice.gateway.load;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;

/**
 * One request of a trace.
 *
 * @param arrival after the first row
 */
record TraceRow(Duration arrival, int contextTokens, int generatedTokens) {
    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSSS");

    /** Reads a trace with the columns {@code TIMESTAMP,ContextTokens,GeneratedTokens}. */
    static List<TraceRow> read(String resource) throws IOException {
        try (InputStream in = Objects.requireNonNull(TraceRow.class.getResourceAsStream(resource), resource)) {
            List<String[]> rows = new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .skip(1)
                    .map(line -> line.split(",", -1))
                    .toList();
            LocalDateTime first = LocalDateTime.parse(rows.getFirst()[0], TIMESTAMP);
            return rows.stream()
                    .map(row -> new TraceRow(
                            Duration.between(first, LocalDateTime.parse(row[0], TIMESTAMP)),
                            Integer.parseInt(row[1]),
                            Integer.parseInt(row[2])))
                    .toList();
        }
    }
}
