package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The scripts, each put together from its parts: how the time is known, the algorithms, the loop
 * over the limits.
 *
 * @param decideBuckets one decision for any number of limits that are all token buckets
 * @param decideWindows one for limits that are all windows
 * @param decideBoth one for any limits
 * @param peek a look that writes nothing
 */
record RedisScripts(String decideBuckets, String decideWindows, String decideBoth, String peek) {

  /** Scripts that take the time from the server. */
  static RedisScripts byServerTime() {
    return startingWith("time_from_redis.lua");
  }

  /** Scripts that take their last argument for the time. */
  static RedisScripts byGivenTime() {
    return startingWith("time_given.lua");
  }

  /** The shortest script that decides these limits. */
  String decide(List<KeyedLimit> limits) {
    if (limits.stream().allMatch(limit -> limit.limit() instanceof TokenBucket)) {
      return decideBuckets;
    }
    return limits.stream().allMatch(limit -> limit.limit() instanceof SlidingWindowCounter)
        ? decideWindows
        : decideBoth;
  }

  private static RedisScripts startingWith(String time) {
    String start = text(time) + text("ratio.lua");
    String bucket = text("token_bucket.lua");
    String window = text("sliding_window_counter.lua");
    String loop = text("decide.lua");
    return new RedisScripts(
        start + bucket + loop,
        start + window + loop,
        start + bucket + window + loop,
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
