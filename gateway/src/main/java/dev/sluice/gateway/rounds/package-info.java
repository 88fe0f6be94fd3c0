/** How what works in the background looks for its work. Read {@link dev.sluice.gateway.rounds.Rounds}. */
@NullMarked
package dev.sluice.gateway.rounds;

import org.jspecify.annotations.NullMarked;
