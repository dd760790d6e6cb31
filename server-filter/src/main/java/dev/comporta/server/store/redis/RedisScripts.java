package dev.comporta.server.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The two scripts, each put together from its parts: how the time is known, the algorithms, the
 * loop over the limits.
 *
 * @param decide one decision for any number of limits
 * @param peek a look that writes nothing
 */
record RedisScripts(String decide, String peek) {

  /** Scripts that take the time from the server. */
  static RedisScripts byServerTime() {
    return startingWith("time_from_redis.lua");
  }

  /** Scripts that take their last argument for the time. */
  static RedisScripts byGivenTime() {
    return startingWith("time_given.lua");
  }

  private static RedisScripts startingWith(String time) {
    return new RedisScripts(
        text(time)
            + text("ratio.lua")
            + text("token_bucket.lua")
            + text("sliding_window_counter.lua")
            + text("decide.lua"),
        text(time) + text("peek.lua"));
  }

  private static String text(String name) {
    try (InputStream in = RedisScripts.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar of Comporta is incomplete, it lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
