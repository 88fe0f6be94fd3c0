/** Jobs that do nothing, from the commit that takes them to the commit that ends them, here and in db-scheduler. */
@NullMarked
package dev.sluice.bench.tasks;

import org.jspecify.annotations.NullMarked;
