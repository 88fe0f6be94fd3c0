package dev.sluice.gateway.openai;

import static java.util.Map.entry;

import dev.sluice.gateway.body.BodyRules;
import dev.sluice.gateway.body.JsonApi;
import dev.sluice.gateway.body.Kind;
import dev.sluice.gateway.body.PromptSize;
import java.util.Map;

/** {@code POST /v1/completions}. The prompt may be text or tokens, one sequence or several. */
public final class Completions extends JsonApi {
    static final BodyRules RULES = new BodyRules(
            Map.ofEntries(
                    entry("prompt", Kind.STRING_OR_ARRAY),
                    entry("stream", Kind.BOOLEAN),
                    entry("max_tokens", Kind.WHOLE),
                    entry("n", Kind.WHOLE),
                    entry("best_of", Kind.WHOLE),
                    entry("logprobs", Kind.WHOLE),
                    entry("seed", Kind.WHOLE),
                    entry("temperature", Kind.NUMBER),
                    entry("top_p", Kind.NUMBER),
                    entry("presence_penalty", Kind.NUMBER),
                    entry("frequency_penalty", Kind.NUMBER),
                    entry("echo", Kind.BOOLEAN),
                    entry("stream_options", Kind.OBJECT),
                    entry("logit_bias", Kind.OBJECT),
                    entry("stop", Kind.STRING_OR_ARRAY),
                    entry("suffix", Kind.STRING),
                    entry("user", Kind.STRING)),
            "prompt");

    public Completions(OpenAiDialect dialect) {
        super(dialect, "/completions", RULES, PromptSize.ofSequences("prompt"));
    }
}
