package dev.sluice.admission;

import dev.sluice.admission.contract.AdmissionContract;
import dev.sluice.admission.contract.AdmissionFixture;

/** The memory engine keeps the contract. */
class MemoryAdmissionTest extends AdmissionContract {
    @Override
    protected AdmissionFixture newFixture() {
        return new MemoryFixture();
    }
}
