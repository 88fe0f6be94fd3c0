package dev.sluice.postgres;

import dev.sluice.admission.contract.AdmissionContract;
import dev.sluice.admission.contract.AdmissionFixture;
import org.postgresql.ds.PGSimpleDataSource;

/** The durable engine keeps the contract. */
class PostgresAdmissionTest extends AdmissionContract {
    private static final PGSimpleDataSource DB = db();

    private static PGSimpleDataSource db() {
        PGSimpleDataSource db = new PGSimpleDataSource();
        db.setUrl("jdbc:postgresql://127.0.0.1:5599/postgres");
        db.setUser("postgres");
        Migrations.apply(db, "contract");
        return db;
    }

    @Override
    protected AdmissionFixture newFixture() {
        return new PostgresFixture(DB, "contract");
    }
}
