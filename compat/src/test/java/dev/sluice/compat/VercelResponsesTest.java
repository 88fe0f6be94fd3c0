package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What Vercel's client asks for by itself where its user names a model and no API. */
@DisplayName("ai, Vercel's client for Node.js, on the Responses API")
final class VercelResponsesTest extends ClientContract<VercelAi> {
    @RegisterExtension
    private final NodeProcess node = new NodeProcess("vercel.mjs");

    @Override
    VercelAi connect(String baseUrl) {
        return new VercelAi(node, baseUrl, "responses");
    }

    @Override
    String baseUrl(int port) {
        return "http://127.0.0.1:" + port + "/v1";
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
    public Result ask(Ask ask, int port) {
        return connect(port).chat(ask);
    }

    @Override
    public Failed refused(int status, String type, String code) {
        String param = type.equals("conflict_error") ? Incidents.KEY : "";
        return new Failed(exceptionFor(status), status, code, type, param);
    }

    @Test
    void aTextIsGenerated() {
        Answered answer = answered(client().chat(Ask.of(Group.OPEN.key(), "chat")));

        assertThat(answer.text()).isNotBlank();
        assertThat(answer.finish()).isEqualTo("length");
        assertThat(tap().paths()).containsExactly("/v1/responses");
    }

    @Test
    void aStreamArrivesInPieces() {
        Answered answer = answered(client().stream(Ask.of(Group.OPEN.key(), "chat")));

        assertThat(answer.text()).isNotBlank();
        assertThat(answer.pieces()).isBetween(2, Ask.TOKENS_MAX);
        assertThat(answer.finish()).isEqualTo("length");
        assertThat(tap().answered()).contains("event: response.incomplete");
    }

    @Test
    void aToolIsCalledAndItsResultAnswered() {
        ToolTalk talk = client().tools(Ask.of(Group.OPEN.key(), "chat"));

        assertThat(talk.tool()).isEqualTo(ToolTalk.TOOL);
        assertThat(talk.input()).isIn("upper", "lower");
        assertThat(talk.text()).isNotBlank();
        assertThat(tap().requests()).isEqualTo(2);
    }

    @Test
    void anAnswerHasTheShapeThatWasAskedFor() {
        assertThat(client().structured(Ask.of(Group.OPEN.key(), "chat"))).isIn("upper", "lower");
        assertThat(tap().requests()).isEqualTo(1);
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
