/**
 * The Responses API: requests that go on from earlier answers, answers that are kept, and responses that are made in the
 * background and shown while they come.
 */
@NullMarked
package dev.sluice.gateway.responses;

import org.jspecify.annotations.NullMarked;
