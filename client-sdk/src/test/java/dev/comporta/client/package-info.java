/** The wrapped client, against a server on this machine whose answers are scripted. */
@NullMarked
package dev.comporta.client;

import org.jspecify.annotations.NullMarked;
