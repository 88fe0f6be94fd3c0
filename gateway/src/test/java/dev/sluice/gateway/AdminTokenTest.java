package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.exchange;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class AdminTokenTest {
    @Test
    void withATokenNothingIsShownWithoutIt() throws IOException {
        String yaml = RunningGateway.oneProvider("http://127.0.0.1:9/v1", 1, "{limit: 1}");
        try (RunningGateway gateway = RunningGateway.startWithToken(yaml, "let-me-in")) {
            String ask = "GET %s HTTP/1.1\r\nhost: anywhere.example\r\n%s\r\n";
            for (String path : new String[] {"/admin/queue", "/metrics", "/nothing"}) {
                assertThat(exchange(gateway.adminPort(), ask.formatted(path, ""))
                                .status())
                        .isEqualTo(401);
                assertThat(exchange(gateway.adminPort(), ask.formatted(path, "authorization: Bearer no\r\n"))
                                .status())
                        .isEqualTo(401);
            }
            String right = "authorization: Bearer let-me-in\r\n";
            assertThat(exchange(gateway.adminPort(), ask.formatted("/admin/queue", right))
                            .status())
                    .isEqualTo(200);
            assertThat(exchange(gateway.adminPort(), ask.formatted("/nothing", right))
                            .status())
                    .isEqualTo(404);
        }
    }
}
