package dev.sluice.gateway.openai;

import dev.sluice.gateway.body.BodyRules;
import dev.sluice.gateway.body.JsonApi;
import dev.sluice.gateway.body.Kind;
import dev.sluice.gateway.body.PromptSize;
import java.util.Map;

/** {@code POST /v1/embeddings}. The input may be text or tokens, one sequence or several; nothing is streamed. */
public final class Embeddings extends JsonApi {
    static final BodyRules RULES = new BodyRules(
            Map.of(
                    "input", Kind.STRING_OR_ARRAY,
                    "encoding_format", Kind.STRING,
                    "dimensions", Kind.WHOLE,
                    "user", Kind.STRING),
            "input");

    public Embeddings(OpenAiDialect dialect) {
        super(dialect, "/embeddings", RULES, PromptSize.ofSequences("input"));
    }
}
