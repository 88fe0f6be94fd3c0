package dev.sluice.admission;

import dev.sluice.admission.contract.AdmissionFixture;
import dev.sluice.admission.histories.HistoryContract;

/** The memory engine agrees with the naive ledger. */
class MemoryHistoriesTest extends HistoryContract {
    @Override
    protected AdmissionFixture newFixture() {
        return new MemoryFixture();
    }

    @Override
    protected int histories() {
        return 200;
    }
}
