package dev.sluice.admission.histories;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Change;
import dev.sluice.admission.Grant;
import dev.sluice.admission.Ledger;
import dev.sluice.admission.Row;
import dev.sluice.admission.TaskFilter;
import dev.sluice.admission.TaskView;
import dev.sluice.admission.Totals;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a durable engine relies on: changes can be applied to a mirror, and taken back as if they had never been. */
class MirrorTest {
    private static final int HISTORIES = Integer.getInteger("histories.mirrored", 60);
    private static final int LENGTH = 160;

    private long now;

    @Test
    void aMirrorThatAppliesTheChangesIsTheSameLedger() {
        for (long seed = 1; seed <= HISTORIES; seed++) {
            follow(seed, new Random(seed), 0);
        }
    }

    @Test
    void aMirrorDecidesLikeTheLedgerItFollowed() {
        for (long seed = 1; seed <= HISTORIES; seed++) {
            follow(seed, new Random(seed), 2);
        }
    }

    /** Two ledgers, of which one decides and the other follows; one time in {@code swaps} they change parts. */
    private void follow(long seed, Random random, int swaps) {
        History history = Generator.history(seed, LENGTH);
        Ledger decider = new Ledger(history.start(), any -> true);
        Ledger follower = new Ledger(history.start(), any -> true);
        now = 0;
        for (Operation operation : history.operations()) {
            if (swaps > 0 && random.nextInt(swaps) == 0) {
                Ledger other = decider;
                decider = follower;
                follower = other;
            }
            perform(operation, decider);
            List<Change> changes = decider.takeChanges();
            if (isShared(operation)) {
                perform(operation, follower);
                assertThat(effects(follower.takeChanges()))
                        .as("seed %d, %s", seed, operation)
                        .isEqualTo(effects(changes));
            } else {
                for (Change change : changes) {
                    follower.apply(change, now);
                }
                if (operation instanceof Operation.Operate decision) {
                    follower.follow(decision.provider(), decision.state());
                }
                assertThat(follower.takeChanges())
                        .as("decided by the follower in seed %d, %s", seed, operation)
                        .isEmpty();
            }
            assertThat(rows(follower)).as("seed %d, after %s", seed, operation).isEqualTo(rows(decider));
        }
        for (Ledger each : List.of(decider, follower)) {
            each.advance(now);
        }
        assertThat(effects(follower.takeChanges()))
                .as("left undone in seed %d", seed)
                .isEqualTo(effects(decider.takeChanges()));
    }

    @Test
    void decisionsThatAreTakenBackLeaveNoTrace() {
        for (long seed = 1; seed <= HISTORIES; seed++) {
            History history = Generator.history(seed, LENGTH);
            Ledger tried = new Ledger(history.start(), any -> true);
            Ledger twin = new Ledger(history.start(), any -> true);
            Random random = new Random(seed);
            now = 0;
            for (Operation operation : history.operations()) {
                if (!isShared(operation) && random.nextInt(3) == 0) {
                    tryAndTakeBack(operation, tried, seed);
                }
                perform(operation, tried);
                if (!(operation instanceof Operation.Elapse)) {
                    perform(operation, twin);
                }
                assertThat(views(tried))
                        .as("seed %d, after %s", seed, operation)
                        .isEqualTo(views(twin));
                tried.takeChanges();
            }
        }
    }

    private void tryAndTakeBack(Operation operation, Ledger ledger, long seed) {
        if (operation instanceof Operation.Elapse) {
            return;
        }
        List<Row> before = rows(ledger);
        Totals totals = ledger.totals();
        perform(operation, ledger);
        ledger.undo(ledger.takeChanges(), totals, now);
        assertThat(rows(ledger)).as("seed %d, %s taken back", seed, operation).isEqualTo(before);
        assertThat(ledger.totals()).isEqualTo(totals);
    }

    /** Policies, connections to providers and heartbeats: each ledger is told and draws the same conclusions. */
    private static boolean isShared(Operation operation) {
        return switch (operation) {
            case Operation.Configure any -> true;
            case Operation.ProviderUp any -> true;
            case Operation.Heartbeat any -> true;
            default -> false;
        };
    }

    /**
     * Each task's changes in order, without what an evicted waiter is told: a mirror may not have looked yet at what
     * blocked it, and it meets what is due together in an order of its own.
     */
    private static List<Change> effects(List<Change> changes) {
        return changes.stream()
                .sorted(Comparator.comparing(Change::task))
                .map(change -> new Change(change.before(), change.after(), change.cause(), null))
                .toList();
    }

    private static List<Row> rows(Ledger ledger) {
        return ledger.rows().stream().sorted(Comparator.comparing(Row::task)).toList();
    }

    /** All that shows, but for the numbers that a decision drew before it was taken back. */
    private List<String> views(Ledger ledger) {
        return ledger.list(TaskFilter.ALL, now).stream()
                .map(view -> Words.number(view.task()) + " " + view.waiting() + view.priority() + view.leases()
                        + view.placement() + view.deadlineIn() + view.overtakes() + detached(view))
                .toList();
    }

    private static boolean detached(TaskView view) {
        return view.reason().map(reason -> reason.text().equals("detached")).orElse(false);
    }

    private void perform(Operation operation, Ledger ledger) {
        switch (operation) {
            case Operation.Submit submit -> ledger.submit(submit.ask(), now);
            case Operation.Rebind rebind -> ledger.rebind(rebind.ask(), now);
            case Operation.FailOver move ->
                ledger.failOver(
                        move.ask(), epoch(ledger, Words.number(move.ask().task())), now);
            case Operation.Release release ->
                ledger.release(Words.task(release.task()), epoch(ledger, release.task()), now);
            case Operation.Renew renew -> ledger.renew(Words.task(renew.task()), epoch(ledger, renew.task()), now);
            case Operation.Confirm confirm ->
                ledger.confirm(Words.task(confirm.task()), epoch(ledger, confirm.task()), now);
            case Operation.RenewWaiter renew -> ledger.renewWaiter(Words.task(renew.task()), renew.waiter(), now);
            case Operation.Detach detach -> ledger.detach(Words.task(detach.task()), detach.waiter(), now);
            case Operation.Cancel cancel -> ledger.cancel(Words.task(cancel.task()), cancel.reason(), now);
            case Operation.Prioritise change ->
                ledger.changePriority(Words.task(change.task()), change.priority(), now);
            case Operation.Tick any -> ledger.advance(now);
            case Operation.Elapse elapse -> now += elapse.time().toNanos();
            case Operation.Heartbeat beat ->
                ledger.heard(beat.holder(), now + Duration.ofSeconds(15).toNanos());
            case Operation.Configure configure -> ledger.configure(configure.policies(), now);
            case Operation.ProviderUp news -> ledger.providerUp(news.provider(), news.up(), now);
            case Operation.Operate decision -> ledger.operate(decision.provider(), decision.state(), now);
        }
    }

    private static long epoch(Ledger ledger, int task) {
        return ledger.row(Words.task(task))
                .flatMap(row -> Optional.ofNullable(row.grant()))
                .map(Grant::epoch)
                .orElse(0L);
    }
}
