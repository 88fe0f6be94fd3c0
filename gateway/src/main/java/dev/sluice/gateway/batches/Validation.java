package dev.sluice.gateway.batches;

import dev.sluice.gateway.batches.LineReader.Line;
import dev.sluice.gateway.http.Api;
import dev.sluice.gateway.http.Switchboard;
import dev.sluice.gateway.http.Vetting;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Reads a whole input before any line of it runs, and says all that is wrong with it. */
final class Validation {
    static final int FAULTS_MAX = 100;

    private final LineReader lines;
    private final Switchboard switchboard;
    private final String group;
    private final Api api;
    private final int linesMax;
    private final long lineBytesMax;
    private final Set<UUID> ids = new HashSet<>();
    private final List<LineFault> faults = new ArrayList<>();
    private final MessageDigest sha256 = sha256();

    /** What came of it. */
    sealed interface Verdict {
        record Good(int lines) implements Verdict {}

        record Faulty(List<LineFault> faults) implements Verdict {}

        /** It was told to stop. */
        record Stopped() implements Verdict {}
    }

    Validation(LineReader lines, Switchboard switchboard, String group, Api api, int linesMax, long lineBytesMax) {
        this.lines = lines;
        this.switchboard = switchboard;
        this.group = group;
        this.api = api;
        this.linesMax = linesMax;
        this.lineBytesMax = lineBytesMax;
    }

    Verdict run(BooleanSupplier stop) throws SQLException {
        int count = 0;
        for (Optional<Line> line = lines.next(); line.isPresent(); line = lines.next()) {
            if (stop.getAsBoolean()) {
                return new Verdict.Stopped();
            }
            if (++count > linesMax) {
                faults.add(LineFault.of("too_many_lines", "The input has more than " + linesMax + " requests.", ""));
                break;
            }
            check(line.get());
            if (faults.size() >= FAULTS_MAX) {
                break;
            }
        }
        if (count == 0) {
            faults.add(LineFault.of("empty_file", "The input has no requests.", ""));
        }
        return faults.isEmpty() ? new Verdict.Good(count) : new Verdict.Faulty(List.copyOf(faults));
    }

    private void check(Line line) {
        switch (BatchLine.read(line, api.path(), lineBytesMax)) {
            case BatchLine.Broken broken -> faults.add(broken.fault().at(line.number()));
            case BatchLine.Request request -> {
                if (!ids.add(hash(request.customId()))) {
                    faults.add(LineFault.of(
                                    "duplicate_custom_id",
                                    "The 'custom_id' of this line is that of an earlier one.",
                                    "custom_id")
                            .at(line.number()));
                }
                vet(request, line.number());
            }
        }
    }

    private void vet(BatchLine.Request request, int number) {
        switch (Vetting.of(switchboard, group, api, request.body())) {
            case Vetting.Refused refused ->
                faults.add(LineFault.of(
                                refused.problem().fault().code(),
                                refused.problem().message(),
                                "body"
                                        + refused.problem()
                                                .param()
                                                .map(field -> "." + field)
                                                .orElse(""))
                        .at(number));
            case Vetting.Good good -> {
                if (good.request().stream()) {
                    faults.add(
                            LineFault.of("invalid_request", "A request of a batch cannot be streamed.", "body.stream")
                                    .at(number));
                }
            }
        }
    }

    /** The ids themselves could take as much memory as the file. */
    private UUID hash(String id) {
        ByteBuffer hash = ByteBuffer.wrap(sha256.digest(id.getBytes(StandardCharsets.UTF_8)));
        return new UUID(hash.getLong(), hash.getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
