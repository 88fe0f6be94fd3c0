package dev.sluice.compat;

import dev.sluice.compat.Result.Failed;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("@anthropic-ai/sdk for Node.js")
final class AnthropicNodeTest extends AnthropicClientContract {
    @RegisterExtension
    private final NodeProcess node = new NodeProcess("anthropic.mjs");

    @Override
    MessagesClient connect(String baseUrl) {
        return new AnthropicNode(node, baseUrl);
    }

    @Override
    String exceptionFor(int status) {
        return switch (status) {
            case 400 -> "BadRequestError";
            case 401 -> "AuthenticationError";
            case 403 -> "PermissionDeniedError";
            case 404 -> "NotFoundError";
            case 409 -> "ConflictError";
            case 413 -> "ContentTooLargeError";
            case 422 -> "UnprocessableEntityError";
            case 429 -> "RateLimitError";
            case 431 -> "RequestHeaderFieldsTooLargeError";
            case 502 -> "InternalServerError";
            case 503 -> "ServiceUnavailableError";
            case 529 -> "OverloadedError";
            default -> "APIError";
        };
    }

    @Override
    Failed timeoutWithinAStream() {
        return new Failed("APIError", 0, "", "rate_limit_error", "");
    }
}
