package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
import org.junit.jupiter.api.Test;

/** What every client must show its user whose paths and errors are those of OpenAI, whichever endpoint it asks. */
abstract class OpenAiShapeContract<C extends Client> extends ClientContract<C> {
    /** What says on the wire that a stream which was cut at its number of tokens is over. */
    abstract String endOfStream();

    @Override
    final String baseUrl(int port) {
        return "http://127.0.0.1:" + port + "/v1";
    }

    @Override
    public final Result ask(Ask ask, int port) {
        return connect(port).chat(ask);
    }

    @Override
    public final Failed refused(int status, String type, String code) {
        String param = type.equals("conflict_error") ? Incidents.KEY : "";
        return new Failed(exceptionFor(status), status, code, type, param);
    }

    @Test
    void aStreamArrivesInPieces() {
        Answered answer = answered(client().stream(Ask.of(Group.OPEN.key(), "chat")));

        assertThat(answer.text()).isNotBlank();
        assertThat(answer.pieces()).isBetween(2, Ask.TOKENS_MAX);
        assertThat(answer.finish()).isEqualTo("length");
        assertThat(tap().answered()).contains(endOfStream());
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
}
