package dev.sluice.postgres;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Brings a schema of its own to the version of this code. Two schemas in one database never meet. */
public final class Migrations {
    private Migrations() {}

    /** @throws org.flywaydb.core.api.FlywayException if the database is away or the schema is of a newer version */
    public static void apply(DataSource database, String schema) {
        Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(database)
                .schemas(schema)
                .defaultSchema(schema)
                .locations("classpath:dev/sluice/postgres/migrations")
                .validateMigrationNaming(true)
                .load()
                .migrate();
    }
}
