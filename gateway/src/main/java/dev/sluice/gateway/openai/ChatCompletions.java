package dev.sluice.gateway.openai;

import static java.util.Map.entry;

import dev.sluice.gateway.body.BodyRules;
import dev.sluice.gateway.body.JsonApi;
import dev.sluice.gateway.body.Kind;
import dev.sluice.gateway.body.PromptSize;
import java.util.Map;

/** {@code POST /v1/chat/completions}. */
public final class ChatCompletions extends JsonApi {
    static final BodyRules RULES = new BodyRules(
            Map.ofEntries(
                    entry("messages", Kind.OBJECTS),
                    entry("stream", Kind.BOOLEAN),
                    entry("max_tokens", Kind.WHOLE),
                    entry("max_completion_tokens", Kind.WHOLE),
                    entry("n", Kind.WHOLE),
                    entry("seed", Kind.WHOLE),
                    entry("temperature", Kind.NUMBER),
                    entry("top_p", Kind.NUMBER),
                    entry("presence_penalty", Kind.NUMBER),
                    entry("frequency_penalty", Kind.NUMBER),
                    entry("stream_options", Kind.OBJECT),
                    entry("response_format", Kind.OBJECT),
                    entry("metadata", Kind.OBJECT),
                    entry("logit_bias", Kind.OBJECT),
                    entry("tools", Kind.ARRAY),
                    entry("functions", Kind.ARRAY),
                    entry("stop", Kind.STRING_OR_ARRAY),
                    entry("user", Kind.STRING)),
            "messages");

    public ChatCompletions(OpenAiDialect dialect) {
        super(dialect, "/chat/completions", RULES, PromptSize.ofTexts("messages", "tools", "functions"));
    }
}
