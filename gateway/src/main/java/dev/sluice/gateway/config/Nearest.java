package dev.sluice.gateway.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably meant. */
final class Nearest {
    private static final int LENGTH_MAX = 64;

    private Nearest() {}

    /** The closest of {@code words}, if it is close at all; the first of equally close ones. */
    static Optional<String> to(String word, Collection<String> words) {
        if (word.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        String plain = plain(word);
        Optional<String> best = Optional.empty();
        int bestDistance = 1 + Math.max(1, word.length() / 3);
        for (String candidate : words) {
            if (candidate.length() <= LENGTH_MAX) {
                int distance = distance(plain, plain(candidate));
                if (distance < bestDistance) {
                    bestDistance = distance;
                    best = Optional.of(candidate);
                }
            }
        }
        return best;
    }

    /** A clause for the end of a message: {@code ; did you mean `queue`?}, or nothing. */
    static String hint(String word, Collection<String> words) {
        return to(word, words).map(near -> "; did you mean `" + near + "`?").orElse("");
    }

    // maxWait, max_wait and max-wait are one wish.
    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /** Edits (insert, delete, replace, swap of neighbours) from one word to the other. */
    private static int distance(String from, String to) {
        int[][] edits = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : cheapest(edits, from, to, i, j);
            }
        }
        return edits[from.length()][to.length()];
    }

    private static int cheapest(int[][] edits, String from, String to, int i, int j) {
        char a = from.charAt(i - 1);
        char b = to.charAt(j - 1);
        int best = Math.min(edits[i - 1][j - 1] + (a == b ? 0 : 1), 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a == to.charAt(j - 2) && b == from.charAt(i - 2);
        return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
    }
}
