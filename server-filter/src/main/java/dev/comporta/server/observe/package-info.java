/**
 * What is seen of the limiter from outside: listeners, CDI events, meters, health, OpenAPI. Each is
 * there where its library is.
 */
@NullMarked
package dev.comporta.server.observe;

import org.jspecify.annotations.NullMarked;
