package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.compat.Result.Failed;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("langchain4j-open-ai")
final class LangChain4jTest extends OfficialClientContract<LangChain4j> implements ListsModels {
    @Override
    LangChain4j connect(String baseUrl) {
        return new LangChain4j(baseUrl);
    }

    @Override
    public List<String> models(String key) {
        return client().models(key);
    }

    @Test
    void aTextIsEmbedded() {
        assertThat(client().embedding(Ask.of(Group.OPEN.key(), "chat"))).hasSizeGreaterThan(8);
    }

    @Override
    String exceptionFor(int status) {
        return switch (status) {
            case 401, 403 -> "AuthenticationException";
            case 404 -> "ModelNotFoundException";
            case 429 -> "RateLimitException";
            case 502, 503 -> "InternalServerException";
            default -> "InvalidRequestException";
        };
    }

    /** It skips the event with the error; that the connection breaks off is all it tells. */
    @Override
    Failed timeoutWithinAStream() {
        return new Failed("LangChain4jException", 0, "", "", "");
    }
}
