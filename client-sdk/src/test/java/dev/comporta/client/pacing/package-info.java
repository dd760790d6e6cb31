/** When the next request may leave: a model of the server's windows for each bucket. */
@NullMarked
package dev.comporta.client.pacing;

import org.jspecify.annotations.NullMarked;
