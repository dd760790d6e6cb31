/**
 * A closed loop in virtual time: the client's real pacer, retry rules and header reader against a
 * server that is a function of the time. Nothing here sleeps or reads a clock; a run is decided by
 * its seed.
 */
@NullMarked
package dev.comporta.client.sim;

import org.jspecify.annotations.NullMarked;
