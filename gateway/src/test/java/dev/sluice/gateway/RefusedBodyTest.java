package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.http.Patience;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A client that still sends its body when it is refused: closing too early would reset the refusal away. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RefusedBodyTest {
    private static final byte[] MEBIBYTE = new byte[1 << 20];

    private RunningGateway gateway;

    @BeforeAll
    void start() {
        Duration ample = Duration.ofSeconds(60);
        gateway = RunningGateway.start(
                RunningGateway.oneProvider("http://127.0.0.1:9/v1", 1, "{limit: 1}") + "http: {max-body: 64KiB}\n",
                new Patience(ample, ample, ample, ample, ample));
    }

    @AfterAll
    void stop() {
        gateway.close();
    }

    private RawClient announcing(int mebibytes) throws IOException {
        long bytes = (long) mebibytes << 20;
        return RawClient.connect(gateway.port())
                .send(chat("").replace("content-length: 0", "content-length: " + bytes));
    }

    @Test
    void sendsItToTheEndAndReadsWhyItWasRefused() throws IOException {
        try (RawClient client = announcing(32)) {
            for (int i = 0; i < 32; i++) {
                client.send(MEBIBYTE);
            }

            assertThat(client.answer().status()).isEqualTo(413);
            assertThat(client.rest()).as("the connection ends").isEmpty();
        }
        gateway.awaitIdle();
    }

    @Test
    void isCutWhenItSendsOnAndOn() throws IOException {
        try (RawClient client = announcing(1_024)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 256; i++) {
                            client.send(MEBIBYTE);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        gateway.awaitIdle();
    }
}
