/** Official client libraries against a running gateway: what their users see. */
@NullMarked
package dev.sluice.compat;

import org.jspecify.annotations.NullMarked;
