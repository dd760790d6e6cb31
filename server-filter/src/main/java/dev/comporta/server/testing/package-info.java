/**
 * For the tests of an application that is limited: time that is set by hand, and what was decided.
 */
@NullMarked
package dev.comporta.server.testing;

import org.jspecify.annotations.NullMarked;
