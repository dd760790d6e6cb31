/** The command line: what the client makes of a response. It is no part of the library. */
@NullMarked
package dev.comporta.client.cli;

import org.jspecify.annotations.NullMarked;
