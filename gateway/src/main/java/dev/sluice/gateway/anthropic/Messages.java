package dev.sluice.gateway.anthropic;

import static java.util.Map.entry;

import dev.sluice.gateway.body.BodyRules;
import dev.sluice.gateway.body.JsonApi;
import dev.sluice.gateway.body.Kind;
import java.util.Map;

/** {@code POST /v1/messages}. */
public final class Messages extends JsonApi {
    static final BodyRules RULES = new BodyRules(
            Map.ofEntries(
                    entry("messages", Kind.OBJECTS),
                    entry("max_tokens", Kind.WHOLE),
                    entry("system", Kind.STRING_OR_ARRAY),
                    entry("stream", Kind.BOOLEAN),
                    entry("stop_sequences", Kind.ARRAY),
                    entry("temperature", Kind.NUMBER),
                    entry("top_p", Kind.NUMBER),
                    entry("top_k", Kind.WHOLE),
                    entry("tools", Kind.ARRAY),
                    entry("tool_choice", Kind.OBJECT),
                    entry("thinking", Kind.OBJECT),
                    entry("output_config", Kind.OBJECT),
                    entry("metadata", Kind.OBJECT)),
            "messages",
            "max_tokens");

    public Messages(AnthropicDialect dialect) {
        super(dialect, "/messages", RULES, AnthropicDialect.PROMPT_SIZE);
    }
}
