package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The embedded database can't serve. The message is for the operator: what is wrong, and what to do about it. */
public final class EmbeddedPostgresException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    EmbeddedPostgresException(String message) {
        super(message);
    }

    private EmbeddedPostgresException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Puts a failure of the file system or of one of PostgreSQL's programs into words. */
    static EmbeddedPostgresException explaining(IOException failure, Path home) {
        return new EmbeddedPostgresException(explanation(failure, home), failure);
    }

    private static String explanation(IOException failure, Path home) {
        var text = String.valueOf(failure.getMessage());
        if (text.contains("No space left on device") || text.contains("Disk quota exceeded")) {
            return "The disk that holds " + home + " is full. Make room (a new database needs about 150 MB), "
                    + "or set database.dir to a folder on another disk. (" + text + ")";
        }
        if (text.contains("Read-only file system")) {
            return "The file system that holds " + home + " is read-only. Set database.dir to a folder that can be "
                    + "written. (" + text + ")";
        }
        if (failure instanceof AccessDeniedException denied) {
            return "The user " + System.getProperty("user.name") + ", as whom the gateway runs, may not use "
                    + file(denied, home) + ". Run the gateway as the user that owns " + home
                    + ", give the folder to this one with chown -R, or set database.dir to another folder.";
        }
        return "The embedded database in " + home + " can't be used: "
                + (failure.getClass() == IOException.class ? text : failure.toString());
    }

    private static String file(FileSystemException failure, Path home) {
        @Nullable String file = failure.getFile();
        return file == null ? home.toString() : file;
    }
}
