package dev.sluice.admission.histories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.sluice.admission.contract.AdmissionFixture;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The engine and the naive ledger agree on every step of every history.
 *
 * <p>{@code -Dhistories=N} plays so many, {@code -Dhistories.seed=S} begins at seed S: to repeat a failure, play one
 * history of its seed.
 */
public abstract class HistoryContract {
    private static final int LENGTH = 160;

    protected abstract AdmissionFixture newFixture();

    /**
     * Whether policies change on the way. Processes that share a ledger read them one after another, and meanwhile
     * decide by different ones, which the naive ledger cannot know.
     */
    protected boolean reloads() {
        return true;
    }

    /** How many histories an ordinary build plays. */
    protected abstract int histories();

    @Test
    void everyHistoryKeepsTheRules() {
        long first = Long.getLong("histories.seed", 1);
        int count = Integer.getInteger("histories", histories());
        long steps = 0;
        for (long seed = first; seed < first + count; seed++) {
            History history = chosen(Generator.history(seed, LENGTH));
            Optional<Player.Failure> failure = play(history);
            failure.ifPresent(found -> report(history, found));
            steps += history.operations().size();
        }
        assertThat(steps).isGreaterThan((long) count * LENGTH * 9 / 10);
    }

    private History chosen(History history) {
        return reloads()
                ? history
                : history.with(history.operations().stream()
                        .filter(operation -> !(operation instanceof Operation.Configure))
                        .toList());
    }

    private Optional<Player.Failure> play(History history) {
        return Player.play(history, this::newFixture);
    }

    private void report(History history, Player.Failure failure) {
        History cut = history.with(history.operations()
                .subList(0, Math.min(failure.step(), history.operations().size())));
        History shortest = Shrinker.shrink(cut, shorter -> play(shorter).isPresent());
        Player.Failure last = play(shortest).orElse(failure);
        fail("step " + last.step() + ": " + last.what() + "\n" + shortest);
    }
}
