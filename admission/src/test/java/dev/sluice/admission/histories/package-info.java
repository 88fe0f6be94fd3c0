/**
 * Random histories of operations, played against an engine and against a naive ledger that was written from the rules
 * alone: plain lists, no index, everything recomputed by scanning. After each step both must show the same. A history
 * that fails is shrunk and printed with its seed.
 */
@NullMarked
package dev.sluice.admission.histories;

import org.jspecify.annotations.NullMarked;
