package dev.sluice.postgres;

import dev.sluice.admission.Admitted;
import java.sql.Connection;

/** Work of an embedding service that joins the transaction of one admission, for example creating its job. */
@FunctionalInterface
public interface AdmittedHook {
    /** @throws Exception anything: rolls this admission back and no other */
    void run(Connection connection, Admitted admitted) throws Exception;
}
