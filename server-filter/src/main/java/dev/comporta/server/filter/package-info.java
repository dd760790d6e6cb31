/**
 * Where Jakarta REST meets the limiter: registration, binding, the request and response filters.
 */
@NullMarked
package dev.comporta.server.filter;

import org.jspecify.annotations.NullMarked;
