package dev.sluice.gateway.batches;

import dev.sluice.postgres.files.FileStore;
import dev.sluice.postgres.files.FileStore.Append;
import dev.sluice.postgres.files.StoredFile.Purpose;
import java.io.ByteArrayOutputStream;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A file of results that is being written, piece by piece; nobody sees it until the batch ends. */
final class ResultFile {
    private static final int PIECE_BYTES = 512 << 10;

    private final FileStore files;
    private final UUID id;
    private final String owner;
    private final String name;
    private final ByteArrayOutputStream piece = new ByteArrayOutputStream();
    private long written;

    ResultFile(FileStore files, UUID id, String owner, String name) {
        this.files = files;
        this.id = id;
        this.owner = owner;
        this.name = name;
    }

    void add(byte[] line) throws SQLException {
        piece.writeBytes(line);
        if (piece.size() >= PIECE_BYTES) {
            write();
        }
    }

    private void write() throws SQLException {
        if (written == 0) {
            files.begin(id, owner, name, Purpose.BATCH_OUTPUT);
        }
        byte[] content = piece.toByteArray();
        // What was worked for is never refused for a quota.
        if (files.append(id, owner, written, content, Long.MAX_VALUE) != Append.TAKEN) {
            throw new IllegalStateException("a file of results was taken away while it was written");
        }
        written += content.length;
        piece.reset();
    }

    /** Writes what is left; the file's id, or null if it has no line. */
    @Nullable
    UUID end() throws SQLException {
        if (piece.size() > 0) {
            write();
        }
        return written == 0 ? null : id;
    }
}
