/** Reading what a response says about rate limits, in whatever dialect. */
@NullMarked
package dev.comporta.client.header;

import org.jspecify.annotations.NullMarked;
