package dev.sluice.gateway.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The tokens of one simulated answer and why it ended.
 *
 * @param finishReason {@code stop} or {@code length}
 */
record SimulatedText(List<String> tokens, int generated, String finishReason) {
    private static final List<String> WORDS = List.of(
            "water",
            "flows",
            "through",
            "the",
            "gate",
            "and",
            "every",
            "lock",
            "holds",
            "what",
            "it",
            "must",
            "until",
            "level",
            "rises",
            "boats",
            "wait",
            "in",
            "line",
            "while",
            "keeper",
            "counts",
            "one",
            "by",
            "upstream",
            "quiet",
            "river",
            "turns",
            "a",
            "wheel",
            "below",
            "bridge");
    private static final int NATURAL_MIN = 16;
    private static final int NATURAL_SPREAD = 48;
    private static final int SENTENCE_TOKENS = 12;

    static SimulatedText write(SimulatedRequest request, RandomGenerator random) {
        int natural = NATURAL_MIN + random.nextInt(NATURAL_SPREAD);
        int max = request.tokensMax().orElse(natural);
        int count = request.exact() ? max : Math.min(natural, max);
        List<String> tokens = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            boolean ends = i % SENTENCE_TOKENS == SENTENCE_TOKENS - 1;
            String word = WORDS.get(random.nextInt(WORDS.size()));
            tokens.add((i == 0 ? "" : " ") + word + (ends ? "." : ""));
        }
        boolean cutByLength = request.tokensMax().isPresent() && count == max;
        var whole = new SimulatedText(tokens, count, cutByLength ? "length" : "stop");
        return request.stop().isEmpty() ? whole : whole.until(request.stop());
    }

    String text() {
        return String.join("", tokens);
    }

    /** Cut before the first stop sequence; the tokens up to its end were generated all the same. */
    private SimulatedText until(List<String> stop) {
        String text = text();
        int cut = Integer.MAX_VALUE;
        int end = 0;
        for (String sequence : stop) {
            int at = text.indexOf(sequence);
            if (at >= 0 && at < cut) {
                cut = at;
                end = at + sequence.length();
            }
        }
        if (cut == Integer.MAX_VALUE) {
            return this;
        }
        List<String> kept = new ArrayList<>();
        int used = 0;
        int length = 0;
        for (String token : tokens) {
            if (length < end) {
                used++;
            }
            int room = Math.min(token.length(), cut - length);
            if (room > 0) {
                kept.add(token.substring(0, room));
            }
            length += token.length();
        }
        return new SimulatedText(kept, used, "stop");
    }
}
