package dev.sluice.compat;

import dev.sluice.compat.Result.Failed;
import org.junit.jupiter.api.DisplayName;

@DisplayName("openai-java")
final class OpenAiJavaTest extends OpenAiClientContract {
    @Override
    OpenAiClient connect(String baseUrl) {
        return new OpenAiJava(baseUrl);
    }

    @Override
    String exceptionFor(int status) {
        return switch (status) {
            case 400 -> "BadRequestException";
            case 401 -> "UnauthorizedException";
            case 403 -> "PermissionDeniedException";
            case 404 -> "NotFoundException";
            case 422 -> "UnprocessableEntityException";
            case 429 -> "RateLimitException";
            case 502, 503 -> "InternalServerException";
            default -> "UnexpectedStatusCodeException";
        };
    }

    @Override
    Failed timeoutWithinAStream() {
        return new Failed("SseException", 200, "queue_timeout", "service_unavailable_error", "");
    }
}
