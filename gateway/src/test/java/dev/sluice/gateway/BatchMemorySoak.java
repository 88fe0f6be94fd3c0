package dev.sluice.gateway;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Minutes long; run by name. */
@DisplayName("The largest batch")
final class BatchMemorySoak {
    @TempDir
    private Path folder;

    @Test
    void of50000LinesAnd200MegabytesPassesThroughAGatewayWith128() throws Exception {
        BatchMemoryTest.run(folder, 50_000, 4_000, "-Xmx128m");
    }
}
