package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Scope;
import dev.sluice.admission.TaskFilter;
import dev.sluice.admission.TaskView;
import dev.sluice.admission.WaitReason;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A slot that is reserved for background work")
final class ReservedSlotsTest {
    private static final String BODY = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    private static String configuration(String url) {
        return """
                platforms:
                  - id: here
                    providers: [{id: up-1, base-url: "%s", capacity: 2, reserve: {background: 1}}]
                models:
                  - {id: chat, served-by: [{platform: here, model: m}]}
                %s""".formatted(url, RunningGateway.groups().replace("models: [other]", "models: [chat]"));
    }

    @Test
    void isNotGivenToAClientWhoWaits() throws IOException {
        var go = new Semaphore(0);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    go.acquire();
                    call.json(200, "{}");
                });
                RunningGateway gateway = RunningGateway.start(configuration(upstream.url()));
                RawClient first = RawClient.connect(gateway.port()).send(chat(BODY));
                RawClient second = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            second.send(chat(BODY));
            gateway.awaitWaiting(1);

            assertThat(gateway.gateway().admission().list(TaskFilter.ALL).stream()
                            .filter(TaskView::waiting))
                    .extracting(TaskView::reason)
                    .extracting(reason -> reason.map(WaitReason::text))
                    .containsExactly(Optional.of("capacity_reserved"));
            assertThat(gateway.snapshot().scope(Scope.providerSync("up-1")).orElseThrow())
                    .satisfies(scope -> assertThat(scope.active()).isEqualTo(scope.limit()));

            go.release(2);
            assertThat(first.answer().status()).isEqualTo(200);
            assertThat(second.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }
}
