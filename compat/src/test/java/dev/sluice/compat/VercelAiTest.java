package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.compat.Result.Failed;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("ai, Vercel's client for Node.js")
final class VercelAiTest extends OfficialClientContract {
    private NodeProcess node;

    @BeforeAll
    void startNode() throws IOException, InterruptedException {
        node = NodeProcess.start("vercel.mjs");
    }

    @AfterAll
    void stopNode() {
        if (node != null) {
            node.close();
        }
    }

    @Override
    VercelAi connect(String baseUrl) {
        return new VercelAi(node, baseUrl);
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
        VercelAi client = connect("http://127.0.0.1:" + gateway().port() + "/v1");

        assertThat(client.embedding(Ask.of(Group.OPEN.key(), "chat"))).hasSizeGreaterThan(8);
    }
}
