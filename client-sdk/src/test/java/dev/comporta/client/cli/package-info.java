/** The command line, run as its users run it. */
@NullMarked
package dev.comporta.client.cli;

import org.jspecify.annotations.NullMarked;
