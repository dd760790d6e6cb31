package dev.comporta.server.store.redis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Which Redis, how long a command may take, and how commands are saved.
 *
 * @param server where it is
 * @param timeBudget the time-out of a command, 1 ms to 10 s; connecting may take ten times that
 * @param trips by what means fewer commands than decisions are sent
 */
public record RedisOptions(Server server, Duration timeBudget, Trips trips) {

  /** Where a Redis is. */
  public sealed interface Server {

    /**
     * One server.
     *
     * @param uri {@code redis://host:port}, or {@code rediss://} for TLS; may hold credentials, so
     *     it is never printed
     */
    record Address(String uri) implements Server {

      private static final Pattern FORM =
          Pattern.compile(
              "rediss?://([^/@]*@)?([^/@:\\[\\]]+|\\[[0-9a-fA-F:.%]+\\]):[0-9]{1,5}(/[0-9]*)?");

      /** Checks the form; the message holds no credentials. */
      public Address {
        if (!FORM.matcher(uri).matches()) {
          throw new IllegalArgumentException(
              "the address of Redis must be redis://host:port or rediss://host:port, was '"
                  + withoutCredentials(uri)
                  + "' (comporta.redis.address)");
        }
      }

      /** Scheme, host and port. */
      @Override
      public String toString() {
        return withoutCredentials(uri);
      }

      private static String withoutCredentials(String uri) {
        return uri.replaceFirst("//.*@", "//");
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
          "the time budget must be 1 ms to 10 s, was " + timeBudget + " (comporta.store-budget)");
    }
  }

  /** With the default means to send fewer commands. */
  public RedisOptions(Server server, Duration timeBudget) {
    this(server, timeBudget, Trips.defaults());
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
    return new RedisOptions(server, other, trips);
  }

  /** The same server with other means to send fewer commands. */
  public RedisOptions saving(Trips other) {
    return new RedisOptions(server, timeBudget, other);
  }
}
