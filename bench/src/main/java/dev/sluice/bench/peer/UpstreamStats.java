package dev.sluice.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import tools.jackson.databind.json.JsonMapper;

/** Asks the upstream what it has open. */
final class UpstreamStats {
    record Stats(long requests, int streamsOpen, int streamsOpenMax, int streamsCut, long lastCutNanos) {}

    private final JsonMapper json = JsonMapper.builder().build();
    private final URI address;

    UpstreamStats(int port) {
        address = URI.create("http://127.0.0.1:" + port + "/bench/stats");
    }

    Stats read() {
        try (InputStream answer = address.toURL().openStream()) {
            return json.readValue(answer, Stats.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
