/** Files that belong to a group, kept in pieces so that any process serves them and none needs to hold much of one. */
@NullMarked
package dev.sluice.postgres.files;

import org.jspecify.annotations.NullMarked;
