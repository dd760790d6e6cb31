/**
 * How usage is counted: pure functions of a state, a cost and an instant. No clock, no lock, no
 * I/O.
 */
@NullMarked
package dev.comporta.server.algorithm;

import org.jspecify.annotations.NullMarked;
