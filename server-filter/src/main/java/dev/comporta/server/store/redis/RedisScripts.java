package dev.comporta.server.store.redis;

import dev.comporta.server.api.Algorithm;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The scripts, each put together from its parts: how the time is known, the algorithms, the loop
 * over the limits. A decision brings the algorithms of its limits and no other, so there are at
 * most 15 texts that decide; each is made when it is first asked for. Thread-safe.
 */
final class RedisScripts {

  private static final Set<Algorithm> ALL = EnumSet.allOf(Algorithm.class);

  private final String time;
  private final String change;
  private final String reset;
  private final ConcurrentHashMap<Set<Algorithm>, String> decisions = new ConcurrentHashMap<>();

  private RedisScripts(String time) {
    this.time = text(time);
    StringBuilder script = new StringBuilder(start(ALL));
    for (Algorithm algorithm : ALL) {
      String name = file(algorithm);
      script.append(block(text(name + ".lua") + text(name + "_changes.lua")));
    }
    this.change = script.append(text("change.lua")).toString();
    this.reset = text("reset.lua");
  }

  /** Scripts that take the time from the server. */
  static RedisScripts byServerTime() {
    return new RedisScripts("time_from_redis.lua");
  }

  /** Scripts that take their last argument for the time. */
  static RedisScripts byGivenTime() {
    return new RedisScripts("time_given.lua");
  }

  /** What decides limits of these algorithms. */
  String decide(Set<Algorithm> algorithms) {
    String known = decisions.get(algorithms);
    return known == null ? decisions.computeIfAbsent(Set.copyOf(algorithms), this::made) : known;
  }

  /** What surcharges, refunds, grants or only looks, for limits of any algorithm. */
  String change() {
    return change;
  }

  /** What forgets all keys that it is given. */
  String reset() {
    return reset;
  }

  private String made(Set<Algorithm> algorithms) {
    StringBuilder script = new StringBuilder(start(algorithms));
    for (Algorithm algorithm : ALL) {
      if (algorithms.contains(algorithm)) {
        script.append(block(text(file(algorithm) + ".lua")));
      }
    }
    return script.append(text("decide.lua")).toString();
  }

  private String start(Set<Algorithm> algorithms) {
    String ratio =
        algorithms.stream().anyMatch(RedisScripts::dividesLargeProducts) ? text("ratio.lua") : "";
    return time + text("states.lua") + ratio;
  }

  private static boolean dividesLargeProducts(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET, SLIDING_WINDOW_COUNTER -> true;
      case SLIDING_WINDOW_LOG, FIXED_WINDOW -> false;
    };
  }

  private static String file(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> "token_bucket";
      case SLIDING_WINDOW_COUNTER -> "sliding_window_counter";
      case SLIDING_WINDOW_LOG -> "sliding_window_log";
      case FIXED_WINDOW -> "fixed_window";
    };
  }

  /** The names of one algorithm are not those of another. */
  private static String block(String algorithm) {
    return "do\n" + algorithm + "end\n";
  }

  /** What a file beside this class says. */
  static String text(String name) {
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
