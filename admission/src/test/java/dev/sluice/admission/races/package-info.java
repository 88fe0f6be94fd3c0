/** Many threads on one memory engine: no leak, no lost wake-up, no limit passed, whoever wins a race. */
@NullMarked
package dev.sluice.admission.races;

import org.jspecify.annotations.NullMarked;
