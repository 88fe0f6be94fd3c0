/** The OpenAI dialect: chat completions, models, and how errors look to OpenAI clients. */
@NullMarked
package dev.sluice.gateway.openai;

import org.jspecify.annotations.NullMarked;
