/** Usage kept in Redis and shared by all nodes, through Redisson. Loaded only when configured. */
@NullMarked
package dev.comporta.server.store.redis;

import org.jspecify.annotations.NullMarked;
