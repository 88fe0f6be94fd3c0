package dev.sluice.gateway.files;

import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.ResourceCall;
import dev.sluice.postgres.files.FileStore;
import dev.sluice.postgres.files.FileStore.Append;
import dev.sluice.postgres.files.StoredFile.Purpose;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerFileUpload;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one file out of a multipart body and writes it to the database piece by piece. While a piece is written the
 * client is not read, so memory holds one piece however large the file is.
 */
final class Upload {
    private static final Logger LOG = LoggerFactory.getLogger(Upload.class);
    private static final int PIECE_BYTES = 512 << 10;
    private static final Pattern BOUNDARY = Pattern.compile("(?i)boundary=\"?[^\";\\s]");
    private static final long QUIET_MILLIS = 500;
    private static final int NAME_LENGTH_MAX = 255;
    private static final long FRAME_BYTES = 64 << 10;
    private static final long EXPIRY_SECONDS_MIN = 3_600;
    private static final long EXPIRY_SECONDS_MAX = 2_592_000;

    private final FileStore store;
    private final UUID id;
    private final ResourceCall call;
    private final Configuration configuration;
    private Buffer piece = Buffer.buffer();
    private long written;
    private boolean begun;
    private boolean writing;
    private boolean fileEnded;
    private boolean bodyEnded;
    private boolean done;
    private @Nullable HttpServerFileUpload part;

    Upload(FileStore store, UUID id, ResourceCall call) {
        this.store = store;
        this.id = id;
        this.call = call;
        this.configuration = call.configuration();
    }

    void begin() {
        String type = Objects.requireNonNullElse(call.headers().get(HttpHeaders.CONTENT_TYPE), "");
        if (!type.toLowerCase(Locale.ROOT).startsWith("multipart/form-data")
                || !BOUNDARY.matcher(type).find()) {
            call.refuse(Problem.of(
                            Fault.UNSUPPORTED_MEDIA_TYPE,
                            "Send the file as multipart/form-data with the fields 'purpose' and 'file'.")
                    .at("content-type"));
            return;
        }
        String length = call.headers().get(HttpHeaders.CONTENT_LENGTH);
        if (length != null
                && (length.length() > 18
                        || Long.parseLong(length) > configuration.files().maxSizeBytes() + FRAME_BYTES)) {
            call.refuse(tooLarge());
            return;
        }
        call.onEnd(this::ended);
        call.request().setExpectMultipart(true);
        call.request().uploadHandler(this::part);
        call.request().endHandler(end -> {
            bodyEnded = true;
            finish();
            awaitEnd(taken());
        });
        call.request().exceptionHandler(broken -> invalid("", "The multipart body is broken. Send it again."));
        call.expectBody();
    }

    private void part(HttpServerFileUpload upload) {
        if (part != null || !upload.name().equals("file")) {
            upload.handler(bytes -> {});
            invalid(upload.name(), "Send one file, as the field 'file'.");
            return;
        }
        part = upload;
        upload.handler(this::take);
        upload.exceptionHandler(broken -> invalid("file", "The upload broke off."));
        upload.endHandler(end -> {
            fileEnded = true;
            finish();
        });
    }

    private void take(Buffer bytes) {
        if (call.isOver()) {
            return;
        }
        call.progress();
        piece.appendBuffer(bytes);
        if (taken() > configuration.files().maxSizeBytes()) {
            call.refuse(tooLarge());
        } else if (piece.length() >= PIECE_BYTES) {
            write();
        }
    }

    private long taken() {
        return written + piece.length();
    }

    /**
     * A body that ends within the file's part ends the part for nobody. What was read before it ended comes in pieces as
     * these are written, so only one that has been quiet for a while is known to lack its end.
     *
     * @param before bytes of the file that had come
     */
    private void awaitEnd(long before) {
        if (part == null || fileEnded) {
            return;
        }
        call.later(QUIET_MILLIS, () -> {
            if (writing || taken() != before) {
                awaitEnd(taken());
            } else if (!fileEnded) {
                invalid("file", "The multipart body ends in the middle of the file: its last boundary is missing.");
            }
        });
    }

    private void write() {
        HttpServerFileUpload source = part;
        if (writing || source == null) {
            return;
        }
        source.pause();
        writing = true;
        byte[] content = piece.getBytes();
        piece = Buffer.buffer();
        long start = written;
        written += content.length;
        call.offLoop(() -> append(start, content), append -> {
            writing = false;
            call.progress();
            switch (append) {
                case TAKEN -> {
                    source.resume();
                    finish();
                }
                case OVER_QUOTA ->
                    call.refuse(Problem.of(
                                    Fault.QUOTA_EXCEEDED,
                                    "The files of the group '" + call.group().id() + "' would have more than " + quota()
                                            + " bytes together. Delete some, or ask for a higher quota.")
                            .at("file"));
                case LOST -> call.refuse(Problem.of(Fault.REQUEST_TIMEOUT, "The upload took too long."));
            }
        });
    }

    private Append append(long start, byte[] content) throws SQLException {
        if (!begun) {
            begun = true;
            String name =
                    part == null || part.filename() == null || part.filename().isBlank()
                            ? "upload.jsonl"
                            : part.filename().replace('\0', '_');
            store.begin(
                    id, call.group().id(), name.substring(0, Math.min(name.length(), NAME_LENGTH_MAX)), Purpose.BATCH);
        }
        return store.append(id, call.group().id(), start, content, quota());
    }

    private long quota() {
        return call.group().filesQuotaBytes().orElse(configuration.files().quotaBytes());
    }

    private void finish() {
        if (call.isOver() || writing || !bodyEnded || (part != null && !fileEnded)) {
            return;
        }
        MultiMap fields = call.request().formAttributes();
        if (part == null || taken() == 0) {
            invalid("file", "The field 'file' is missing or empty.");
        } else if (!"batch".equals(fields.get("purpose"))) {
            invalid("purpose", "The field 'purpose' must be 'batch': files are kept for batches only.");
        } else if (lifetime(fields).isEmpty()) {
            invalid(
                    "expires_after",
                    "'expires_after' needs the anchor 'created_at' and " + EXPIRY_SECONDS_MIN + " to "
                            + EXPIRY_SECONDS_MAX + " seconds.");
        } else if (piece.length() > 0) {
            write();
        } else {
            Duration lifetime = lifetime(fields).get();
            call.offLoop(() -> store.complete(id, lifetime), file -> {
                done = file.isPresent();
                file.ifPresentOrElse(
                        kept -> call.answer(FileJson.of(kept)),
                        () -> call.refuse(Problem.of(Fault.REQUEST_TIMEOUT, "The upload took too long.")));
            });
        }
    }

    private Optional<Duration> lifetime(MultiMap fields) {
        String anchor = fields.get("expires_after[anchor]");
        String seconds = fields.get("expires_after[seconds]");
        if (anchor == null && seconds == null) {
            return Optional.of(configuration.files().retention());
        }
        return "created_at".equals(anchor) ? expiry(seconds) : Optional.empty();
    }

    private static Optional<Duration> expiry(@Nullable String seconds) {
        if (seconds == null || !seconds.matches("[0-9]{1,9}")) {
            return Optional.empty();
        }
        long given = Long.parseLong(seconds);
        return given < EXPIRY_SECONDS_MIN || given > EXPIRY_SECONDS_MAX
                ? Optional.empty()
                : Optional.of(Duration.ofSeconds(given));
    }

    private Problem tooLarge() {
        return Problem.of(
                        Fault.REQUEST_TOO_LARGE,
                        "The file is larger than " + configuration.files().maxSizeBytes()
                                + " bytes, the most this gateway takes. Split it.")
                .at("file");
    }

    private void invalid(String field, String message) {
        Problem problem = Problem.of(Fault.INVALID_REQUEST, message);
        call.refuse(field.isEmpty() ? problem : problem.at(field));
    }

    /** What was written of a file that never became complete goes; else it would, but an hour later. */
    private void ended() {
        piece = Buffer.buffer();
        if (part != null) {
            // The rest of a refused body is read and dropped, so that the refusal arrives.
            part.handler(bytes -> {});
            part.resume();
        }
        if (written > 0 && !done) {
            Thread.ofVirtual().name("sluice-resource").start(() -> {
                try {
                    store.discard(id);
                } catch (SQLException away) {
                    LOG.debug("a broken upload stays for an hour: {}", away.getMessage());
                }
            });
        }
    }
}
