/**
 * Between the chat completions of the OpenAI API and the messages of the Anthropic API, in both directions: requests,
 * answers, streams and errors, as pure functions on trees. A field that has no counterpart is refused by name; the table
 * is in docs/api.md.
 */
@NullMarked
package dev.sluice.gateway.translation;

import org.jspecify.annotations.NullMarked;
