/** A command line that sends the example more than it allows, with two kinds of client. */
@NullMarked
package dev.comporta.example.demo;

import org.jspecify.annotations.NullMarked;
