package dev.sluice.gateway.anthropic;

import dev.sluice.gateway.body.BodyRules;
import dev.sluice.gateway.body.JsonApi;
import dev.sluice.gateway.body.Kind;
import java.util.Map;

/** {@code POST /v1/messages/count_tokens}: answered by the provider that would serve the message. */
public final class CountTokens extends JsonApi {
    static final BodyRules RULES = new BodyRules(
            Map.of("messages", Kind.OBJECTS, "system", Kind.STRING_OR_ARRAY, "tools", Kind.ARRAY), "messages");

    public CountTokens(AnthropicDialect dialect) {
        super(dialect, "/messages/count_tokens", RULES, AnthropicDialect.PROMPT_SIZE);
    }
}
