package dev.sluice.gateway.responses;

import static java.util.Map.entry;

import dev.sluice.gateway.body.BodyRules;
import dev.sluice.gateway.body.JsonApi;
import dev.sluice.gateway.body.Kind;
import dev.sluice.gateway.body.PromptSize;
import dev.sluice.gateway.http.Dialect;
import dev.sluice.gateway.http.KeptAnswers;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** {@code POST /v1/responses}. */
public final class Responses extends JsonApi {
    static final BodyRules RULES = new BodyRules(
            Map.ofEntries(
                    entry("input", Kind.STRING_OR_ARRAY),
                    entry("instructions", Kind.STRING),
                    entry("stream", Kind.BOOLEAN),
                    entry("store", Kind.BOOLEAN),
                    entry("background", Kind.BOOLEAN),
                    entry("previous_response_id", Kind.STRING),
                    entry("max_output_tokens", Kind.WHOLE),
                    entry("max_tool_calls", Kind.WHOLE),
                    entry("temperature", Kind.NUMBER),
                    entry("top_p", Kind.NUMBER),
                    entry("parallel_tool_calls", Kind.BOOLEAN),
                    entry("tools", Kind.ARRAY),
                    entry("include", Kind.ARRAY),
                    entry("text", Kind.OBJECT),
                    entry("reasoning", Kind.OBJECT),
                    entry("metadata", Kind.OBJECT),
                    entry("stream_options", Kind.OBJECT),
                    entry("truncation", Kind.STRING),
                    entry("user", Kind.STRING)),
            "input");

    private final KeptAnswers kept;

    public Responses(Dialect dialect, KeptAnswers kept, InstantSource clock) {
        super(
                new ResponsesDialect(dialect, clock, ResponsesDialect.NOTHING_YET),
                "/responses",
                RULES,
                PromptSize.ofTexts("input", "instructions", "tools"));
        this.kept = kept;
    }

    @Override
    public Optional<KeptAnswers> kept() {
        return Optional.of(kept);
    }
}
