package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A slot that was given to a waiter of another process is that waiter's only once its process has said so. */
class ProvisionalGrantTest {
    private static final Scope MODEL = Scope.platformModel("on-prem", "a");
    private static final Duration TTL = Duration.ofMinutes(2);

    private final TaskIds ids = new TaskIds(() -> 0);
    private final Ledger ledger = new Ledger(
            Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(10).leaseTtl(TTL)),
            ask -> ask.mode() instanceof Mode.Sync sync && sync.holder().equals("here"));

    private UUID elsewhere;
    private UUID later;
    private long epoch;

    private static long seconds(long count) {
        return Duration.ofSeconds(count).toNanos();
    }

    private UUID asked(String holder) {
        UUID task = ids.next();
        ledger.submit(Ask.sync(task, "w-" + task, holder, 100, List.of(Demand.one(MODEL))), 0);
        return task;
    }

    private Grant grant(UUID task) {
        Grant grant = ledger.row(task).orElseThrow().grant();
        assertThat(grant).as("grant of %s", task).isNotNull();
        return grant;
    }

    private boolean runs(UUID task) {
        return ledger.row(task).map(row -> !row.waits()).orElse(false);
    }

    /** At second 5 the slot goes to a waiter of the other process, before one of this. */
    @BeforeEach
    void grantToTheOther() {
        UUID running = asked("here");
        elsewhere = asked("there");
        later = asked("here");
        assertThat(ledger.release(running, grant(running).epoch(), seconds(5))).isTrue();
        epoch = grant(elsewhere).epoch();
        assertThat(grant(elsewhere).provisional()).isTrue();
    }

    @Test
    void ofAHolderThatDiedItGoesOnAfterAWaiterLeaseAndNotAfterATtl() {
        ledger.renewHolder("here", seconds(14));

        ledger.advance(seconds(15) - 1);
        assertThat(runs(later)).isFalse();
        ledger.advance(seconds(15));

        assertThat(runs(later)).isTrue();
        assertThat(ledger.row(elsewhere)).isEmpty();
    }

    @Test
    void confirmedItLastsATtl() {
        assertThat(ledger.confirm(elsewhere, epoch, seconds(14))).isTrue();

        assertThat(grant(elsewhere).provisional()).isFalse();
        assertThat(ledger.leaseLeft(elsewhere, epoch, seconds(14))).isEqualTo(TTL);
        ledger.renewHolder("here", seconds(14));
        ledger.advance(seconds(20));
        assertThat(runs(elsewhere)).isTrue();
        assertThat(runs(later)).isFalse();
    }

    @Test
    void unconfirmedByAHolderThatLivesItsTaskKeepsItsOldPlaceAndTheGrantIsWorthNothing() {
        long sequence = ledger.row(elsewhere).orElseThrow().sequence();
        ledger.renewHolder("there", seconds(10));
        ledger.renewHolder("here", seconds(10));

        ledger.advance(seconds(15));

        assertThat(ledger.confirm(elsewhere, epoch, seconds(15))).isFalse();
        assertThat(ledger.release(elsewhere, epoch, seconds(15))).isFalse();
        assertThat(ledger.row(elsewhere).orElseThrow().sequence()).isEqualTo(sequence);
        // It is still the first in line, so the slot is offered to it again and not to whoever came later.
        assertThat(grant(elsewhere).epoch()).isGreaterThan(epoch);
        assertThat(runs(later)).isFalse();
        assertThat(ledger.confirm(elsewhere, grant(elsewhere).epoch(), seconds(15)))
                .isTrue();
    }

    @Test
    void itIsNotRenewedBeforeItIsConfirmed() {
        assertThat(ledger.renew(elsewhere, epoch, seconds(14))).isFalse();

        ledger.renewHolder("here", seconds(14));
        ledger.advance(seconds(15));

        assertThat(runs(later)).isTrue();
    }

    @Test
    void twoAreNotAdmittedWhileItIsUnconfirmed() {
        assertThat(runs(elsewhere)).isTrue();
        assertThat(runs(later)).isFalse();
        assertThat(ledger.snapshot(seconds(6)).scope(MODEL).orElseThrow().active())
                .isEqualTo(Amount.ONE);
    }
}
