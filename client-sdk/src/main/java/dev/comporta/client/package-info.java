/** A Jakarta REST client that keeps itself inside the limits of the API it calls. */
@NullMarked
package dev.comporta.client;

import org.jspecify.annotations.NullMarked;
