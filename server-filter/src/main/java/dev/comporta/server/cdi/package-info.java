/**
 * What a container of beans gives to the limiter, and the limiter to it. Works without one: classes
 * that know CDI are loaded only where CDI is.
 */
@NullMarked
package dev.comporta.server.cdi;

import org.jspecify.annotations.NullMarked;
