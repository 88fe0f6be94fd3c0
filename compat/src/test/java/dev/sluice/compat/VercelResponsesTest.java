package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What Vercel's client asks for by itself where its user names a model and no API. */
@DisplayName("ai, Vercel's client for Node.js, on the Responses API")
final class VercelResponsesTest extends OpenAiShapeContract<VercelAi> {
    @RegisterExtension
    private final NodeProcess node = new NodeProcess("vercel.mjs");

    @Override
    VercelAi connect(String baseUrl) {
        return new VercelAi(node, baseUrl, "responses");
    }

    @Override
    String exceptionFor(int status) {
        return "APICallError";
    }

    /** The event {@code response.failed} is an error of the client's own making, with a status of its choice. */
    @Override
    Failed timeoutWithinAStream() {
        return new Failed("APICallError", 504, "", "", "");
    }

    @Override
    String endOfStream() {
        return "event: response.incomplete";
    }

    @Test
    void aTextIsGenerated() {
        Answered answer = answered(client().chat(Ask.of(Group.OPEN.key(), "chat")));

        assertThat(answer.text()).isNotBlank();
        assertThat(answer.finish()).isEqualTo("length");
        assertThat(tap().paths()).containsExactly("/v1/responses");
    }

    @Test
    void aRefusalIsTheClientsOwnException() {
        Refusal refusal = Refusal.MODEL_NOT_FOUND;

        assertThat(client().chat(refusal.ask())).isEqualTo(refusal.as(exceptionFor(refusal.status())));
        assertThat(client().stream(refusal.ask())).isEqualTo(refusal.as(exceptionFor(refusal.status())));
    }

    @Test
    void aStreamThatWaitsTooLongFailsAndIsNeverTakenForComplete() {
        try (Holders holders = gateway().hold(Group.IMPATIENT, 1, 0)) {
            assertThat(client().stream(Ask.of(Group.IMPATIENT.key(), "chat")))
                    .as("with " + holders)
                    .isEqualTo(timeoutWithinAStream());
        }
        assertThat(tap().answered()).contains("HTTP/1.1 200 OK", ": queued position=1", "event: response.failed");
    }
}
