/** Who is limited: principal, API key or address, told apart, grouped and hashed. */
@NullMarked
package dev.comporta.server.caller;

import org.jspecify.annotations.NullMarked;
