/** Every setting under {@code comporta.}: its key, its reading, its faults. */
@NullMarked
package dev.comporta.server.config;

import org.jspecify.annotations.NullMarked;
