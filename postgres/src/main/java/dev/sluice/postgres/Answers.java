package dev.sluice.postgres;

import dev.sluice.admission.Change;
import dev.sluice.admission.Grant;
import dev.sluice.admission.Ledger;
import dev.sluice.admission.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/** What follows for those who asked from what is committed: answers, and grants that wait for their confirmation here. */
final class Answers {
    private final Mirror mirror;
    private final Teller teller;
    private final String holder;
    private final Consumer<Row> toConfirm;
    private final Runnable onWork;
    private final List<Function<Ledger, List<Runnable>>> owed = new ArrayList<>();

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
            if (!committed.effects().jobs().isEmpty()) {
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

    /** Others' decisions are in the mirror; what follows from them is told by {@link #pay}. */
    void owe(List<Change> changes) {
        List<Change> ours =
                mirror.read(ledger -> changes.stream().filter(this::concernsUs).toList());
        if (!ours.isEmpty()) {
            owed.add(ledger -> settle(ledger, ours));
        }
    }

    private boolean concernsUs(Change change) {
        Row after = change.after();
        return mirror.claims.isOpen(change.task()) || (after != null && isToConfirm(after));
    }

    /**
     * The mirror began again: whoever waits is judged by what is there now, and told by {@link #pay}.
     *
     * @param rows by task, all that there are
     */
    void oweAll(Map<UUID, Row> rows, long now) {
        owed.clear();
        owed.add(ledger -> {
            rows.values().stream().filter(this::isToConfirm).forEach(row -> confirmIfStill(row, ledger));
            return mirror.claims.reconcile(task -> Optional.ofNullable(rows.get(task)), now);
        });
    }

    /** Tells what is owed: nobody is told of another's decision before it is on disk, as nobody is of ours. */
    void pay() {
        owed.forEach(one -> teller.tell(mirror.read(one)));
        owed.clear();
    }

    /** It is unknown what of it is true: {@link #oweAll} comes next. */
    void forget() {
        owed.clear();
    }

    private List<Runnable> settle(Ledger ledger, List<Change> changes) {
        List<Runnable> told = mirror.claims.settle(changes);
        for (Change change : changes) {
            Row after = change.after();
            if (after != null && isToConfirm(after)) {
                confirmIfStill(after, ledger);
            }
        }
        return told;
    }

    private void confirmIfStill(Row row, Ledger ledger) {
        ledger.row(row.task()).filter(row::equals).ifPresent(toConfirm);
    }

    private boolean isToConfirm(Row row) {
        Grant grant = row.grant();
        return grant != null
                && grant.provisional()
                && (mirror.claims.isOpen(row) || holder.equals(Effects.holder(row.ask())));
    }
}
