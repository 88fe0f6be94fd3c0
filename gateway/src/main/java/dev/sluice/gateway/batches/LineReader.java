package dev.sluice.gateway.batches;

import dev.sluice.postgres.files.FileStore;
import dev.sluice.postgres.files.FileStore.Piece;
import java.io.ByteArrayOutputStream;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** The lines of a file that are not blank, one after another; holds one piece of it and one line. */
final class LineReader {
    private static final byte[] NOTHING = {};

    /**
     * One line.
     *
     * @param number from 1; blank lines count too
     * @param next where the following line begins
     * @param isTooLong whether it was skipped because it is longer than may be
     */
    record Line(int number, long next, byte[] bytes, boolean isTooLong) {}

    private final FileStore files;
    private final UUID file;
    private final long lineBytesMax;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long offset;
    private int number;
    private byte[] piece = NOTHING;
    private int at;
    private boolean ended;

    /**
     * @param after the number of the line before the first one to read
     * @param offset where the first one begins
     */
    LineReader(FileStore files, UUID file, long lineBytesMax, int after, long offset) {
        this.files = files;
        this.file = file;
        this.lineBytesMax = lineBytesMax;
        this.number = after;
        this.offset = offset;
    }

    /** Empty at the end of the file. */
    Optional<Line> next() throws SQLException {
        while (!ended) {
            Optional<Line> read = read();
            if (read.isPresent()
                    && (read.get().isTooLong() || !isBlank(read.get().bytes()))) {
                return read;
            }
        }
        return Optional.empty();
    }

    private Optional<Line> read() throws SQLException {
        line.reset();
        long length = 0;
        boolean broken = false;
        while (!broken) {
            if (at == piece.length && !more()) {
                ended = true;
                if (length == 0) {
                    return Optional.empty();
                }
                break;
            }
            int from = at;
            while (at < piece.length && piece[at] != '\n') {
                at++;
            }
            length += at - from;
            if (length <= lineBytesMax) {
                line.write(piece, from, at - from);
            }
            broken = at < piece.length;
            at += broken ? 1 : 0;
            offset += at - from;
        }
        number++;
        boolean isTooLong = length > lineBytesMax;
        return Optional.of(new Line(number, offset, isTooLong ? NOTHING : line.toByteArray(), isTooLong));
    }

    private boolean more() throws SQLException {
        Optional<Piece> found = files.piece(file, offset);
        piece = found.map(Piece::content).orElse(NOTHING);
        at = found.map(of -> (int) (offset - of.start())).orElse(0);
        return found.isPresent();
    }

    private static boolean isBlank(byte[] bytes) {
        for (byte one : bytes) {
            if (one != ' ' && one != '\t' && one != '\r') {
                return false;
            }
        }
        return true;
    }
}
