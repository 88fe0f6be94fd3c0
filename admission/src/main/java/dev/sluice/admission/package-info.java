/**
 * Admission control: one exact ledger for everything that runs or waits.
 *
 * <p>Read in this order: {@link dev.sluice.admission.Admission} (what a caller does), {@code Ledger} (the rules),
 * {@link dev.sluice.admission.MemoryAdmission} (one process, nothing survives).
 *
 * <p>Amounts are whole thousandths ({@link dev.sluice.admission.Amount}); ledger time is nanoseconds of one clock that
 * the engine passes in, so rules never read a clock of their own.
 */
@NullMarked
package dev.sluice.admission;

import org.jspecify.annotations.NullMarked;
