package dev.sluice.gateway.config;

import java.util.List;
import java.util.Optional;

/**
 * The public name that clients ask for.
 *
 * @param id unique
 * @param longContextTokens estimated prompt tokens from which a request is long; 0 = never
 * @param amountThousandths what one request takes of each limit, in thousandths; 1 to 1,000,000,000
 * @param dispatch overrides the waiting for a provider for this model
 * @param servedBy at least one, in order of preference
 */
public record Model(
        String id,
        int longContextTokens,
        long amountThousandths,
        Optional<Dispatch> dispatch,
        List<ServedBy> servedBy) {
    public static final long AMOUNT_ONE = 1_000;
    static final Range<Integer> LONG_CONTEXT_TOKENS = Range.of(0, 100_000_000);
    static final Range<Long> AMOUNT_THOUSANDTHS = Range.of(1L, 1_000_000_000L);

    public Model {
        Names.requireLabel("id", id);
        LONG_CONTEXT_TOKENS.require("long-context-tokens", longContextTokens);
        AMOUNT_THOUSANDTHS.require("amount", amountThousandths);
        servedBy = List.copyOf(servedBy);
    }
}
