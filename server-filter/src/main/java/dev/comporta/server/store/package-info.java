/** Where usage is kept: all limits of one request are decided in one atomic verdict. */
@NullMarked
package dev.comporta.server.store;

import org.jspecify.annotations.NullMarked;
