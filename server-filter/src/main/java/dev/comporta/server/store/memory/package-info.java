/** Usage kept in this process. */
@NullMarked
package dev.comporta.server.store.memory;

import org.jspecify.annotations.NullMarked;
