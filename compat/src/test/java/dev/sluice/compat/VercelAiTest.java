package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.compat.Result.Failed;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("ai, Vercel's client for Node.js")
final class VercelAiTest extends OfficialClientContract<VercelAi> {
    @RegisterExtension
    private final NodeProcess node = new NodeProcess("vercel.mjs");

    @Override
    VercelAi connect(String baseUrl) {
        return new VercelAi(node, baseUrl, "chat");
    }

    /** One for all of them; its user looks at the status. */
    @Override
    String exceptionFor(int status) {
        return "APICallError";
    }

    /** An error event within a stream gets a status of the client's own choice. */
    @Override
    Failed timeoutWithinAStream() {
        return new Failed("APICallError", 504, "", "", "");
    }

    @Test
    void aTextIsEmbedded() {
        assertThat(client().embedding(Ask.of(Group.OPEN.key(), "chat"))).hasSizeGreaterThan(8);
    }
}
