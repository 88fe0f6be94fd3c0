/** Files: uploaded, listed, read and deleted by the clients of a group. */
@NullMarked
package dev.sluice.gateway.files;

import org.jspecify.annotations.NullMarked;
