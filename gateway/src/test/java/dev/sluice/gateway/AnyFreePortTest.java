package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.config.ConfigurationSource;
import dev.sluice.gateway.config.ListenAddress;
import dev.sluice.gateway.config.QuickStart;
import dev.sluice.gateway.http.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnyFreePortTest {
    private static final Optional<ListenAddress> ANY = Optional.of(new ListenAddress("127.0.0.1", 0));

    @TempDir
    private Path folder;

    @Test
    void severalLoopsShareTheOnePortThatWasFree() throws IOException, InterruptedException {
        var ready = (QuickStart.Ready) QuickStart.prepare(folder, ANY, ANY, new SecureRandom());
        try (Gateway gateway = Gateway.start(ConfigurationSource.fixed(ready.configuration()), 3, Patience.DEFAULT)) {
            assertThat(gateway.listening().port()).isPositive();
            URI models = URI.create("http://" + gateway.listening() + "/v1/models");
            for (int i = 0; i < 6; i++) {
                // A new client is a new connection, which may fall to another loop.
                try (HttpClient client = HttpClient.newHttpClient()) {
                    HttpRequest request = HttpRequest.newBuilder(models)
                            .header("authorization", "Bearer " + ready.key().reveal())
                            .build();
                    assertThat(client.send(request, BodyHandlers.ofString()).body())
                            .contains("sim-small", "sim-large");
                }
            }
        }
    }
}
