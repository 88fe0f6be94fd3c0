/**
 * What the operator wants: the configuration as immutable values, read from one YAML file with every
 * fault named by file and line, and swapped as a whole when the file changes.
 *
 * <p>Start at {@link dev.sluice.gateway.config.Configuration} for the values and at {@link
 * dev.sluice.gateway.config.ConfigurationFile} for how they come out of a file.
 */
@NullMarked
package dev.sluice.gateway.config;

import org.jspecify.annotations.NullMarked;
