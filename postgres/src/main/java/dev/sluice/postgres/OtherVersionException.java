package dev.sluice.postgres;

import org.flywaydb.core.api.FlywayException;

/** A schema was made by a build whose migrations are not those of this one. Nothing in it was changed. */
public final class OtherVersionException extends FlywayException {
    private static final long serialVersionUID = 1;

    OtherVersionException(String schema, Throwable cause) {
        super(
                "the schema \"" + schema
                        + "\" was made by another version of Sluice: run that version, or give this one a"
                        + " schema, a database or a database.dir of its own",
                cause);
    }
}
