package dev.sluice.postgres;

import dev.sluice.admission.Change;
import dev.sluice.admission.Grant;
import dev.sluice.admission.Ledger;
import dev.sluice.admission.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** What follows for those who asked from what is committed: answers, and grants that wait for their confirmation here. */
final class Answers {
    private final Mirror mirror;
    private final Teller teller;
    private final String holder;
    private final Consumer<Row> toConfirm;
    private final Runnable onWork;

    /**
     * @param toConfirm is given the rows whose provisional grant waits for this process
     * @param onWork is told when there is work for executors
     */
    Answers(Mirror mirror, Teller teller, String holder, Consumer<Row> toConfirm, Runnable onWork) {
        this.onWork = onWork;
        this.mirror = mirror;
        this.teller = teller;
        this.holder = holder;
        this.toConfirm = toConfirm;
    }

    /** Claims are noted and answered in the order of the decisions. */
    void tell(List<Op<?>> ops, Tentative committed) {
        teller.tell(mirror.read(ledger -> {
            List<Runnable> told = new ArrayList<>();
            if (committed.changes().stream().anyMatch(Effects::makesJob)) {
                told.add(onWork);
            }
            told.addAll(settle(ledger, committed.byTime()));
            for (int i = 0; i < ops.size(); i++) {
                told.addAll(settle(ledger, committed.by(i)));
                told.add(ops.get(i).committed());
            }
            return told;
        }));
    }

    /** @param apply brings others' decisions into the mirror */
    void tell(Function<Ledger, List<Change>> apply) {
        teller.tell(mirror.read(ledger -> settle(ledger, apply.apply(ledger))));
    }

    /** The mirror began again: whoever waits is judged by what is there now. */
    void reconcile(long now) {
        teller.tell(mirror.read(ledger -> {
            ledger.rows().stream().filter(this::isToConfirm).forEach(toConfirm);
            return mirror.claims.reconcile(ledger::row, now);
        }));
    }

    private List<Runnable> settle(Ledger ledger, List<Change> changes) {
        List<Runnable> told = mirror.claims.settle(changes);
        for (Change change : changes) {
            Row after = change.after();
            if (after != null && isToConfirm(after)) {
                ledger.row(after.task()).filter(after::equals).ifPresent(toConfirm);
            }
        }
        return told;
    }

    private boolean isToConfirm(Row row) {
        Grant grant = row.grant();
        return grant != null
                && grant.provisional()
                && (mirror.claims.isOpen(row) || holder.equals(Effects.holder(row.ask())));
    }
}
