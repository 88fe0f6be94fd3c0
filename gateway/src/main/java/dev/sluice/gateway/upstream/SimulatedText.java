package dev.sluice.gateway.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The tokens of one simulated answer and why it ended.
 *
 * @param finishReason {@code stop}, {@code length} or {@code tool_calls}
 * @param stoppedBy the stop sequence that ended it
 * @param calls of tools, instead of tokens
 */
record SimulatedText(
        List<String> tokens,
        int generated,
        String finishReason,
        Optional<String> stoppedBy,
        List<SimulatedTool.Call> calls) {
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
        if (!request.called().isEmpty()) {
            List<SimulatedTool.Call> calls =
                    request.called().stream().map(tool -> tool.call(random)).toList();
            int generated =
                    calls.stream().mapToInt(call -> call.arguments().size()).sum();
            return new SimulatedText(List.of(), generated, "tool_calls", Optional.empty(), calls);
        }
        if (request.schema().isPresent()) {
            List<String> pieces = SimulatedTool.pieces(request.schema().get(), random);
            return plain(pieces, pieces.size(), "stop");
        }
        int natural = NATURAL_MIN + random.nextInt(NATURAL_SPREAD);
        int max = request.tokensMax().orElse(natural);
        int count = request.exact() ? max : Math.min(natural, max);
        List<String> tokens = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            boolean ends = i % SENTENCE_TOKENS == SENTENCE_TOKENS - 1;
            String word = word(random);
            tokens.add((i == 0 ? "" : " ") + word + (ends ? "." : ""));
        }
        boolean cutByLength = request.tokensMax().isPresent() && count == max;
        SimulatedText whole = plain(tokens, count, cutByLength ? "length" : "stop");
        return request.stop().isEmpty() ? whole : whole.until(request.stop());
    }

    private static SimulatedText plain(List<String> tokens, int generated, String finishReason) {
        return new SimulatedText(tokens, generated, finishReason, Optional.empty(), List.of());
    }

    static String word(RandomGenerator random) {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    /** {@code tokens} in runs of at most {@code size}. */
    static List<List<String>> chunks(List<String> tokens, int size) {
        List<List<String>> chunks = new ArrayList<>();
        for (int from = 0; from < tokens.size(); from += size) {
            chunks.add(tokens.subList(from, Math.min(tokens.size(), from + size)));
        }
        return chunks;
    }

    String text() {
        return String.join("", tokens);
    }

    /** Cut before the first stop sequence; the tokens up to its end were generated all the same. */
    private SimulatedText until(List<String> stop) {
        String text = text();
        int cut = Integer.MAX_VALUE;
        int end = 0;
        String by = "";
        for (String sequence : stop) {
            int at = text.indexOf(sequence);
            if (at >= 0 && at < cut) {
                cut = at;
                end = at + sequence.length();
                by = sequence;
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
        return new SimulatedText(kept, used, "stop", Optional.of(by), List.of());
    }
}
