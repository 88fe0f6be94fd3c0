package dev.sluice.compat;

import dev.sluice.compat.Result.Failed;
import org.junit.jupiter.api.DisplayName;

@DisplayName("anthropic-java")
final class AnthropicJavaTest extends AnthropicClientContract {
    @Override
    MessagesClient connect(String baseUrl) {
        return new AnthropicJava(baseUrl);
    }

    @Override
    String exceptionFor(int status) {
        return switch (status) {
            case 400 -> "BadRequestException";
            case 401 -> "UnauthorizedException";
            case 403 -> "PermissionDeniedException";
            case 404 -> "NotFoundException";
            case 409 -> "ConflictException";
            case 413 -> "ContentTooLargeException";
            case 422 -> "UnprocessableEntityException";
            case 429 -> "RateLimitException";
            case 431 -> "RequestHeaderFieldsTooLargeException";
            case 502 -> "InternalServerException";
            case 503 -> "ServiceUnavailableException";
            case 529 -> "OverloadedException";
            default -> "UnexpectedStatusCodeException";
        };
    }

    @Override
    Failed timeoutWithinAStream() {
        return new Failed("SseException", 200, "", "rate_limit_error", "");
    }
}
