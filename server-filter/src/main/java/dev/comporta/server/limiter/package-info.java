/**
 * Decides the requests to one application, keeps account of what each was charged, and settles it
 * when the request is answered.
 */
@NullMarked
package dev.comporta.server.limiter;

import org.jspecify.annotations.NullMarked;
