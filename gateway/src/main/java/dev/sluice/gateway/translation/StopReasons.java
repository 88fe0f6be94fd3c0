package dev.sluice.gateway.translation;

/** Why an answer ended. */
final class StopReasons {
    private StopReasons() {}

    /** @param called whether the answer calls a tool */
    static String toChat(String reason, boolean called) throws BrokenAnswer {
        return switch (reason) {
            case "end_turn" -> called ? "tool_calls" : "stop";
            case "stop_sequence" -> "stop";
            case "max_tokens", "model_context_window_exceeded" -> "length";
            case "tool_use" -> "tool_calls";
            case "refusal" -> "content_filter";
            default -> throw new BrokenAnswer("its stop reason '" + reason + "' has no counterpart");
        };
    }

    /**
     * Where a request names the function to call, OpenAI and vLLM end with {@code stop}; a client of messages carries a
     * tool out only for {@code tool_use}.
     *
     * @param called whether the answer calls a tool
     */
    static String toMessages(String reason, boolean called) throws BrokenAnswer {
        return switch (reason) {
            case "stop" -> called ? "tool_use" : "end_turn";
            case "length" -> "max_tokens";
            case "tool_calls" -> "tool_use";
            case "content_filter" -> "refusal";
            default -> throw new BrokenAnswer("its finish reason '" + reason + "' has no counterpart");
        };
    }
}
