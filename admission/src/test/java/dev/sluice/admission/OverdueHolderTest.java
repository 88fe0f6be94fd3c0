package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A process that may be dead gets no grant while others wait, and loses no place by it. */
class OverdueHolderTest {
    private static final Scope MODEL = Scope.platformModel("on-prem", "a");

    private final TaskIds ids = new TaskIds(() -> 0);
    private final Ledger ledger = new Ledger(
            Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(10)),
            ask -> ask.mode() instanceof Mode.Sync sync && sync.holder().equals("here"));

    private static long seconds(long count) {
        return Duration.ofSeconds(count).toNanos();
    }

    private UUID asked(String holder, long now) {
        UUID task = ids.next();
        ledger.submit(Ask.sync(task, "w-" + task, holder, 100, List.of(Demand.one(MODEL))), now);
        return task;
    }

    private boolean runs(UUID task) {
        return ledger.row(task).map(row -> !row.waits()).orElse(false);
    }

    private void release(UUID task, long now) {
        long epoch = ledger.row(task).map(Row::grant).map(Grant::epoch).orElseThrow();
        assertThat(ledger.release(task, epoch, now)).isTrue();
    }

    @Test
    void aHolderWhoseHeartbeatIsOverdueByAThirdIsPassedOver() {
        UUID running = asked("here", 0);
        UUID elsewhere = asked("there", 0);
        ledger.renewHolder("here", seconds(10) + 1);
        UUID later = asked("here", seconds(11));

        release(running, seconds(11));

        assertThat(runs(elsewhere)).isFalse();
        assertThat(runs(later)).isTrue();
        assertThat(ledger.snapshot(seconds(11)).queueDepth()).isEqualTo(1);
    }

    @Test
    void nobodyIsToBlameForWhatThisProcessDidNotListenTo() {
        UUID running = asked("here", 0);
        UUID elsewhere = asked("there", 0);
        ledger.renewHolder("here", seconds(9));

        release(running, seconds(14));

        assertThat(runs(elsewhere)).isTrue();
    }

    @Test
    void oneThatWasHeardInTimeIsNot() {
        UUID running = asked("here", 0);
        UUID elsewhere = asked("there", 0);
        UUID later = asked("here", 0);

        release(running, seconds(10));

        assertThat(runs(elsewhere)).isTrue();
        assertThat(runs(later)).isFalse();
    }

    @Test
    void heardAgainItHasItsOldPlace() {
        UUID running = asked("here", 0);
        UUID elsewhere = asked("there", 0);
        ledger.renewHolder("here", seconds(11));
        UUID second = asked("here", seconds(11));
        UUID third = asked("here", seconds(11));
        release(running, seconds(11));
        assertThat(runs(second)).isTrue();

        ledger.renewHolder("there", seconds(12));
        release(second, seconds(12));

        assertThat(runs(elsewhere)).isTrue();
        assertThat(runs(third)).isFalse();
    }

    @Test
    void theRoomThatNobodyElseWantsIsItsOwnAsSoonAsItIsHeard() {
        UUID running = asked("here", 0);
        UUID elsewhere = asked("there", 0);
        ledger.renewHolder("here", seconds(11));
        release(running, seconds(11));
        assertThat(runs(elsewhere)).isFalse();

        ledger.renewHolder("there", seconds(12));

        assertThat(runs(elsewhere)).isTrue();
    }

    @Test
    void unheardItsWaitersLapseAsEver() {
        asked("here", 0);
        UUID elsewhere = asked("there", 0);

        ledger.renewHolder("here", seconds(14));
        ledger.advance(seconds(15));

        assertThat(ledger.row(elsewhere)).isEmpty();
    }

    @Test
    void holdersThatDiedLongAgoAreForgotten() {
        Holders holders = new Holders();
        for (int i = 0; i < 1_000; i++) {
            holders.heard("start-" + i, seconds(600L * i));
        }

        assertThat(holders.count()).isLessThan(100);
        assertThat(holders.until("start-999")).isEqualTo(seconds(600L * 999));
        assertThat(holders.until("start-0")).isEqualTo(Long.MIN_VALUE);
    }
}
