package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.TaskFilter;
import dev.sluice.admission.TaskView;
import dev.sluice.admission.WaitReason;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A long prompt")
final class LongPromptTest {
    private static final String LONG = body("word ".repeat(200));
    private static final String SHORT = body("hello");

    private static String body(String text) {
        return "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"" + text + "\"}]}";
    }

    private static String configuration(String url) {
        return """
                platforms:
                  - id: here
                    providers: [{id: up-1, base-url: "%s", capacity: 3, long-context-capacity: 1}]
                models:
                  - {id: chat, long-context-tokens: 100, served-by: [{platform: here, model: m}]}
                %s""".formatted(url, RunningGateway.groups().replace("models: [other]", "models: [chat]"));
    }

    @Test
    void waitsForALongSlotWhileShortOnesPass() throws IOException {
        var longGo = new Semaphore(0);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    if (call.body().contains("word word")) {
                        longGo.acquire();
                    }
                    call.json(200, "{}");
                });
                RunningGateway gateway = RunningGateway.start(configuration(upstream.url()));
                RawClient first = RawClient.connect(gateway.port()).send(chat(LONG));
                RawClient second = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            second.send(chat(LONG));
            gateway.awaitWaiting(1);

            assertThat(gateway.gateway().admission().list(TaskFilter.ALL).stream()
                            .filter(TaskView::waiting))
                    .extracting(TaskView::reason)
                    .extracting(reason -> reason.map(WaitReason::text))
                    .containsExactly(Optional.of("long_context_capacity_full"));
            assertThat(exchange(gateway.port(), chat(SHORT)).status()).isEqualTo(200);
            assertThat(gateway.snapshot().queueDepth()).isEqualTo(1);

            longGo.release(2);
            assertThat(first.answer().status()).isEqualTo(200);
            assertThat(second.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }
}
