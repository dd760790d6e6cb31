/**
 * What an application writes and calls: the annotations, and the contracts that it may implement.
 */
@NullMarked
package dev.comporta.server.api;

import org.jspecify.annotations.NullMarked;
