package dev.comporta.server.store.redis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Which Redis, and how long a command may take.
 *
 * @param server where it is
 * @param timeBudget the time-out of a command, 1 ms to 10 s; connecting may take ten times that
 */
public record RedisOptions(Server server, Duration timeBudget) {

  /** Where a Redis is. */
  public sealed interface Server {

    /**
     * One server.
     *
     * @param uri {@code redis://host:port}, or {@code rediss://} for TLS; may hold credentials, so
     *     it is never printed
     */
    record Address(String uri) implements Server {

      /** Checks the scheme. */
      public Address {
        if (!uri.startsWith("redis://") && !uri.startsWith("rediss://")) {
          throw new IllegalArgumentException(
              "the address of Redis must start with redis:// or rediss:// (comporta.redis.address)");
        }
      }

      /** Without credentials. */
      @Override
      public String toString() {
        return uri.substring(0, uri.indexOf("//") + 2)
            + uri.substring(uri.lastIndexOf('@') + 1).replaceFirst("^rediss?://", "");
      }
    }

    /**
     * A Redisson configuration in YAML: single server, sentinel, cluster, TLS, credentials.
     *
     * @param path must be readable
     */
    record ConfigFile(Path path) implements Server {

      /** Checks that it can be read. */
      public ConfigFile {
        if (!Files.isReadable(path)) {
          throw new IllegalArgumentException(
              "the Redisson configuration must be a readable file, was "
                  + path
                  + " (comporta.redis.config-file)");
        }
      }
    }
  }

  private static final Duration DEFAULT_TIME_BUDGET = Duration.ofMillis(50);

  /** Checks the range; the message names the rule, the value and the setting. */
  public RedisOptions {
    if (timeBudget.toMillis() < 1 || timeBudget.toMillis() > 10_000) {
      throw new IllegalArgumentException(
          "the time budget must be 1 ms to 10 s, was "
              + timeBudget
              + " (comporta.redis.time-budget)");
    }
  }

  /** A single server with the default time budget, 50 ms. */
  public static RedisOptions at(String uri) {
    return new RedisOptions(new Server.Address(uri), DEFAULT_TIME_BUDGET);
  }

  /** What that Redisson configuration says, with the default time budget, 50 ms. */
  public static RedisOptions configuredBy(Path path) {
    return new RedisOptions(new Server.ConfigFile(path), DEFAULT_TIME_BUDGET);
  }

  /** The same server with another time budget. */
  public RedisOptions within(Duration other) {
    return new RedisOptions(server, other);
  }
}
