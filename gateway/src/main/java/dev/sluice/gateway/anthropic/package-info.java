/** The Anthropic API as its clients expect it: messages, token counts, errors and pings. */
@NullMarked
package dev.sluice.gateway.anthropic;

import org.jspecify.annotations.NullMarked;
