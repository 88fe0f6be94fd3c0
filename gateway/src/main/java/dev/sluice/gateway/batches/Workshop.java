package dev.sluice.gateway.batches;

import dev.sluice.gateway.http.Api;
import dev.sluice.gateway.http.Shared;
import dev.sluice.postgres.PostgresAdmission;
import dev.sluice.postgres.batches.BatchLeases;
import dev.sluice.postgres.batches.BatchStore;
import dev.sluice.postgres.batches.LineStore;
import dev.sluice.postgres.files.FileStore;
import java.util.Map;

/**
 * What it takes to work batches off.
 *
 * @param apis those that lines may be for, by path
 */
public record Workshop(
        PostgresAdmission admission,
        Shared shared,
        Map<String, Api> apis,
        FileStore files,
        BatchStore batches,
        BatchLeases leases,
        LineStore lines) {
    public Workshop {
        apis = Map.copyOf(apis);
    }
}
