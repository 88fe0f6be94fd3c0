package dev.sluice.compat;

import org.junit.jupiter.api.DisplayName;

@DisplayName("openai-java, files and batches")
final class BatchingJavaTest extends BatchContract {
    @Override
    BatchingClient connect(String baseUrl) {
        return new BatchingJava(baseUrl);
    }
}
