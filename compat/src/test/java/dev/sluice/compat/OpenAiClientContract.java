package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.compat.Result.Answered;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the clients of OpenAI must show beside chats. */
abstract class OpenAiClientContract extends OfficialClientContract<OpenAiClient> implements ListsModels {
    @Override
    public List<String> models(String key) {
        return client().models(key);
    }

    @Test
    void aChatIsAnsweredByAProviderOfTheOtherApi() {
        Answered answer = answered(client().chat(Ask.of(Group.EITHER.key(), "on-anthropic")));

        assertThat(answer.text()).isNotBlank();
        assertThat(answer.finish()).isEqualTo("length");
    }

    @Test
    void aStreamArrivesInPiecesFromAProviderOfTheOtherApi() {
        Answered answer = answered(client().stream(Ask.of(Group.EITHER.key(), "on-anthropic")));

        assertThat(answer.text()).isNotBlank();
        assertThat(answer.pieces()).isBetween(2, Ask.TOKENS_MAX);
        assertThat(answer.finish()).isEqualTo("length");
    }

    @Test
    void aPromptIsCompleted() {
        Answered answer = answered(client().completion(Ask.of(Group.OPEN.key(), "chat")));

        assertThat(answer.text()).isNotBlank();
        assertThat(answer.finish()).isEqualTo("length");
    }

    @Test
    void aCompletionArrivesInPieces() {
        Answered answer = answered(client().completionStream(Ask.of(Group.OPEN.key(), "chat")));

        assertThat(answer.text()).isNotBlank();
        assertThat(answer.pieces()).isBetween(2, Ask.TOKENS_MAX);
        assertThat(answer.finish()).isEqualTo("length");
    }

    @Test
    void anEmbeddingIsTheSameVectorInEitherFormat() {
        Ask ask = Ask.of(Group.OPEN.key(), "chat");
        List<Float> floats = client().embedding(ask, 32, "float");

        assertThat(floats).hasSize(32);
        assertThat(floats.stream().mapToDouble(x -> x * x).sum()).isCloseTo(1, within(1e-3));
        assertThat(client().embedding(ask, 32, "")).isEqualTo(floats);
        assertThat(client().embedding(ask.prompt("another"), 32, "")).isNotEqualTo(floats);
    }

    @Test
    void aRefusedCompletionIsTheClientsOwnException() {
        Refusal refusal = Refusal.MODEL_NOT_FOUND;

        assertThat(client().completion(refusal.ask())).isEqualTo(refusal.as(exceptionFor(refusal.status())));
    }
}
