package dev.sluice.gateway.translation;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tokens of one answer. The OpenAI API counts cached tokens among those of the prompt, the Anthropic API beside them.
 *
 * @param fresh tokens of the prompt that were neither read from nor written to a cache
 * @param thoughts those of the output that were thinking; 0 also if nobody counted them
 */
record Usage(long fresh, long cacheRead, long cacheWritten, long output, long thoughts) {
    static final Usage NONE = new Usage(0, 0, 0, 0, 0);

    static Usage ofChat(JsonNode usage) {
        long cached = usage.path("prompt_tokens_details").path("cached_tokens").asLong(0);
        long prompt = usage.path("prompt_tokens").asLong(0);
        return new Usage(
                Math.max(0, prompt - cached),
                cached,
                0,
                usage.path("completion_tokens").asLong(0),
                usage.path("completion_tokens_details").path("reasoning_tokens").asLong(0));
    }

    /** What {@code usage} says, and for the rest what was known before. */
    Usage thenMessages(JsonNode usage) {
        return new Usage(
                usage.path("input_tokens").asLong(fresh),
                usage.path("cache_read_input_tokens").asLong(cacheRead),
                usage.path("cache_creation_input_tokens").asLong(cacheWritten),
                usage.path("output_tokens").asLong(output),
                usage.path("output_tokens_details").path("thinking_tokens").asLong(thoughts));
    }

    ObjectNode toChat() {
        long prompt = fresh + cacheRead + cacheWritten;
        ObjectNode usage = Json.object()
                .put("prompt_tokens", prompt)
                .put("completion_tokens", output)
                .put("total_tokens", prompt + output);
        if (thoughts > 0) {
            usage.set("completion_tokens_details", Json.object().put("reasoning_tokens", thoughts));
        }
        return usage.set("prompt_tokens_details", Json.object().put("cached_tokens", cacheRead));
    }

    ObjectNode toMessages() {
        ObjectNode usage = Json.object()
                .put("input_tokens", fresh)
                .put("cache_creation_input_tokens", cacheWritten)
                .put("cache_read_input_tokens", cacheRead)
                .put("output_tokens", output);
        return thoughts > 0
                ? usage.set("output_tokens_details", Json.object().put("thinking_tokens", thoughts))
                : usage;
    }
}
