/**
 * Proof that the contract can fail: the engine's sources with one named fault each are compiled, and the suite is run
 * against the result. A mutant that survives is a rule without a test.
 */
@NullMarked
package dev.sluice.admission.mutants;

import org.jspecify.annotations.NullMarked;
