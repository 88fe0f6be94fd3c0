package dev.sluice.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.config.ConfigurationFile;
import dev.sluice.gateway.config.Environment;
import dev.sluice.gateway.config.Verdict;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class VettingTest {
    @Test
    void aFaultOfTheGatewayAtARequestOfAFileIsAnAnswerAndDoesNotComeAgain() {
        Api failing =
                (Api) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Api.class}, (p, m, a) -> {
                    throw new ArrayIndexOutOfBoundsException("a fault");
                });
        var loaded = (Verdict.Loaded) ConfigurationFile.parse("test", """
                platforms:
                  - id: on-prem
                    providers:
                      - {id: gpu-a, base-url: "http://10.0.0.5:8000/v1", capacity: 8}
                models:
                  - id: chat
                    served-by:
                      - {platform: on-prem, model: llama}
                groups:
                  - id: research
                """, Environment.of(Map.of()));
        Switchboard switchboard = Switchboard.of(loaded.configuration(), InstantSource.system());

        assertThat(Vetting.of(switchboard, "research", failing, "{}".getBytes(UTF_8)))
                .isInstanceOfSatisfying(
                        Vetting.Refused.class,
                        refused -> assertThat(refused.problem().fault()).isEqualTo(Fault.INTERNAL_ERROR));
    }
}
