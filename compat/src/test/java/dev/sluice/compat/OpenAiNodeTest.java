package dev.sluice.compat;

import dev.sluice.compat.Result.Failed;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("openai for Node.js")
final class OpenAiNodeTest extends OpenAiClientContract {
    @RegisterExtension
    private final NodeProcess node = new NodeProcess("openai.mjs");

    @Override
    OpenAiClient connect(String baseUrl) {
        return new OpenAiNode(node, baseUrl);
    }

    @Override
    String exceptionFor(int status) {
        return switch (status) {
            case 400 -> "BadRequestError";
            case 401 -> "AuthenticationError";
            case 403 -> "PermissionDeniedError";
            case 404 -> "NotFoundError";
            case 409 -> "ConflictError";
            case 422 -> "UnprocessableEntityError";
            case 429 -> "RateLimitError";
            case 502, 503 -> "InternalServerError";
            default -> "APIError";
        };
    }

    @Override
    Failed timeoutWithinAStream() {
        return new Failed("APIError", 0, "queue_timeout", "service_unavailable_error", "");
    }
}
