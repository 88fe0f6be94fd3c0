/**
 * The behaviour of an {@link dev.sluice.admission.Admission} as an executable specification. An engine passes it by
 * extending {@link dev.sluice.admission.contract.AdmissionContract} with a fixture of its own; the suite uses the
 * public interface only.
 */
@NullMarked
package dev.sluice.admission.contract;

import org.jspecify.annotations.NullMarked;
