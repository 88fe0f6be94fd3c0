package dev.sluice.gateway.files;

import dev.sluice.gateway.http.ResourceCall;
import dev.sluice.postgres.files.FileStore;
import dev.sluice.postgres.files.StoredFile;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;

/** Sends a file piece by piece, each read when the client has taken the one before. */
final class Download {
    private final FileStore store;
    private final StoredFile file;
    private final ResourceCall call;
    private final HttpServerResponse response;
    private long sent;

    Download(FileStore store, StoredFile file, ResourceCall call) {
        this.store = store;
        this.file = file;
        this.call = call;
        this.response = call.request().response();
    }

    void begin() {
        response.putHeader(HttpHeaders.CONTENT_TYPE, "application/octet-stream")
                .putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(file.bytes()))
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader("content-disposition", "attachment; filename=\"" + plain(file.name()) + '"');
        next();
    }

    /** What may stand in a quoted header; the JSON has the whole name. */
    private static String plain(String name) {
        byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
        return new String(ascii, StandardCharsets.US_ASCII).replaceAll("[^A-Za-z0-9._ -]", "_");
    }

    private void next() {
        if (sent >= file.bytes()) {
            response.end();
            call.answered();
            return;
        }
        call.offLoop(() -> store.piece(file.id(), sent), found -> {
            if (found.isEmpty()) {
                // It was deleted meanwhile: whoever reads must not take it for complete.
                call.cut();
                return;
            }
            call.progress();
            byte[] content = found.get().content();
            sent = found.get().start() + content.length;
            response.write(Buffer.buffer(content));
            if (response.writeQueueFull()) {
                response.drainHandler(drained -> {
                    call.progress();
                    next();
                });
            } else {
                next();
            }
        });
    }
}
