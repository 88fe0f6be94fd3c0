package dev.sluice.postgres;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;

/** Brings a schema of its own to the version of this code. Two schemas in one database never meet. */
public final class Migrations {
    private Migrations() {}

    /**
     * @throws OtherVersionException if migrations were made in it that are not known here, or that were others then
     * @throws org.flywaydb.core.api.FlywayException if the database is away
     */
    public static void apply(DataSource database, String schema) {
        try {
            configured(database, schema).load().migrate();
        } catch (FlywayValidateException e) {
            throw new OtherVersionException(schema, e);
        }
    }

    /**
     * Removes whatever is in the schema, and the schema where {@link #apply} made it.
     *
     * @throws org.flywaydb.core.api.FlywayException if the database is away
     */
    public static void undo(DataSource database, String schema) {
        configured(database, schema).cleanDisabled(false).load().clean();
    }

    private static FluentConfiguration configured(DataSource database, String schema) {
        return Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(database)
                .schemas(schema)
                .defaultSchema(schema)
                .locations("classpath:dev/sluice/postgres/migrations")
                .validateMigrationNaming(true)
                // Else those of a later version would pass: its tables may mean what this one does not know.
                .ignoreMigrationPatterns(new String[0]);
    }
}
