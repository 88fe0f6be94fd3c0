package dev.sluice.gateway.translation;

/** Why an answer ended. */
final class StopReasons {
    private StopReasons() {}

    static String toChat(String reason) throws BrokenAnswer {
        return switch (reason) {
            case "end_turn", "stop_sequence" -> "stop";
            case "max_tokens", "model_context_window_exceeded" -> "length";
            case "tool_use" -> "tool_calls";
            case "refusal" -> "content_filter";
            default -> throw new BrokenAnswer("its stop reason '" + reason + "' has no counterpart");
        };
    }

    static String toMessages(String reason) throws BrokenAnswer {
        return switch (reason) {
            case "stop" -> "end_turn";
            case "length" -> "max_tokens";
            case "tool_calls" -> "tool_use";
            case "content_filter" -> "refusal";
            default -> throw new BrokenAnswer("its finish reason '" + reason + "' has no counterpart");
        };
    }
}
