package dev.sluice.compat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("openai for Node.js, files and batches")
final class BatchingNodeTest extends BatchContract {
    @RegisterExtension
    private final NodeProcess node = new NodeProcess("openai.mjs");

    @Override
    BatchingClient connect(String baseUrl) {
        return new BatchingNode(node, baseUrl);
    }
}
