/** Measurements. They test nothing, and run on demand. */
@NullMarked
package dev.comporta.client.bench;

import org.jspecify.annotations.NullMarked;
