package dev.sluice.gateway.files;

import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.Resource;
import dev.sluice.gateway.http.ResourceCall;

/** Stands where files and batches would be when nothing can be kept: it says what to configure. */
public record NotKept(String path) implements Resource {
    @Override
    public void accept(ResourceCall call) {
        call.refuse(Problem.of(
                Fault.INVALID_REQUEST,
                "Files and batches need a database, and this gateway keeps its queue in memory. Set database.mode to"
                        + " embedded or external."));
    }
}
