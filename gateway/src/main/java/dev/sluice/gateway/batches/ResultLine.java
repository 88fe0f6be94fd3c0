package dev.sluice.gateway.batches;

import dev.sluice.gateway.http.JsonText;
import dev.sluice.postgres.batches.EndedLine;
import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import dev.sluice.postgres.tasks.StoredTask.State;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import tools.jackson.core.io.JsonStringEncoder;

/** What became of one line, as one line of JSON. */
final class ResultLine {
    private ResultLine() {}

    /** @param isCancelled whether what did not run was cancelled with its batch; else its time was over */
    static byte[] of(EndedLine line, boolean isCancelled) {
        if (line.answer().isPresent()) {
            return answered(line, line.answer().get());
        }
        Failure failure = line.failure().orElse(new Failure("", "internal_error", "The line has no result."));
        boolean unfinished = isUnfinished(line);
        return unfinished
                ? unfinished(line.task(), line.customId(), isCancelled)
                : failed(line.task(), line.customId(), failure.code(), failure.message());
    }

    /** Whether its batch ended before it. */
    static boolean isUnfinished(EndedLine line) {
        return line.state() == State.CANCELLED
                || line.failure()
                        .filter(failure -> failure.code().equals("queue_timeout"))
                        .isPresent();
    }

    static byte[] unfinished(UUID id, String customId, boolean isCancelled) {
        return isCancelled
                ? failed(id, customId, "batch_cancelled", "The batch was cancelled before this request ended.")
                : failed(id, customId, "batch_expired", "The completion window was over before this request ended.");
    }

    private static byte[] failed(UUID id, String customId, String code, String message) {
        return (head(id, customId) + "null,\"error\":{\"code\":" + quote(code) + ",\"message\":" + quote(message)
                        + "}}\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] answered(EndedLine line, Answer answer) {
        byte[] body = JsonText.isOneValue(answer.body())
                ? inOneLine(answer.body())
                : quote(new String(answer.body(), StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
        var out = new ByteArrayOutputStream(body.length + 256);
        out.writeBytes((head(line.task(), line.customId()) + "{\"status_code\":" + answer.status()
                        + ",\"request_id\":\"" + line.task() + "\",\"body\":")
                .getBytes(StandardCharsets.UTF_8));
        out.writeBytes(body);
        out.writeBytes("},\"error\":null}\n".getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    private static String head(UUID id, String customId) {
        return "{\"id\":\"batch_req_" + id.toString().replace("-", "") + "\",\"custom_id\":" + quote(customId)
                + ",\"response\":";
    }

    /** Within JSON a line can break only where a space may stand. */
    private static byte[] inOneLine(byte[] json) {
        byte[] line = json.clone();
        for (int i = 0; i < line.length; i++) {
            if (line[i] == '\n' || line[i] == '\r') {
                line[i] = ' ';
            }
        }
        return line;
    }

    private static String quote(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsCharArray(text)) + '"';
    }
}
