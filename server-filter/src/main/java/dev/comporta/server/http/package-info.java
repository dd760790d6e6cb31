/** What goes over the wire: a verdict in, headers and bodies out. */
@NullMarked
package dev.comporta.server.http;

import org.jspecify.annotations.NullMarked;
