package dev.comporta.server.config;

import dev.comporta.server.store.OnStoreFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Where usage is kept, and what happens when that fails.
 *
 * @param kind memory or Redis
 * @param redis where Redis is; present if the kind is Redis
 * @param engine how usage is counted in Redis
 * @param refusals for how long a node repeats what Redis has refused
 * @param changesPeriod how often a node looks in Redis what running code has changed on others
 * @param budget how long a decision may wait for the store
 * @param onFailure what decides when the store does not
 * @param localSharePercent the share of each limit that this node grants on its own while the store
 *     fails, 1 to 100
 * @param maximumStates how many states the memory store may hold
 */
public record StoreSettings(
    Kind kind,
    Optional<Redis> redis,
    Engine engine,
    Refusals refusals,
    Duration changesPeriod,
    Duration budget,
    OnStoreFailure onFailure,
    int localSharePercent,
    int maximumStates) {

  /** The kinds of store. */
  public enum Kind {
    /** This node alone. */
    MEMORY,
    /** Shared by all nodes that use the same Redis and the same namespace. */
    REDIS
  }

  /** How usage is counted in Redis. */
  public enum Engine {
    /** By scripts of this library. */
    SCRIPT,
    /** By the {@code RRateLimiter} of Redisson. */
    RATE_LIMITER
  }

  /**
   * For how long at most a node repeats a refusal by itself.
   *
   * @param kept where permits come back by time alone; 0 is never
   * @param keptRefundable where they may come back early; 0 is never
   */
  public record Refusals(Duration kept, Duration keptRefundable) {}

  /** Where Redis is. */
  public sealed interface Redis {}

  /**
   * One server.
   *
   * @param uri {@code redis://} or {@code rediss://}; it may hold a password
   */
  public record RedisAddress(String uri) implements Redis {

    /** The address without user and password. */
    @Override
    public String toString() {
      return "RedisAddress[" + uri.replaceFirst("//.*@", "//***@") + "]";
    }
  }

  /** A configuration file of Redisson. */
  public record RedisConfigFile(Path path) implements Redis {}
}
