package dev.comporta.server.store.redis;

import dev.comporta.server.policy.PolicyCheck;
import dev.comporta.server.store.AsyncLimitStore;
import dev.comporta.server.store.GuardOptions;
import dev.comporta.server.store.GuardedStore;
import dev.comporta.server.store.LimitStore;
import java.time.Duration;

/**
 * Opens the store that {@code comporta.store=redis} asks for, and says what is missing when the
 * class path cannot serve it.
 *
 * <pre>{@code
 * LimitStore memory = new MemoryLimitStore(100_000, MicrosClock.system());
 * LimitStore store = RedisStores.open(
 *     RedisOptions.at("redis://localhost:6379"),
 *     memory,
 *     GuardOptions.defaults(),
 *     Duration.ofSeconds(1));
 * }</pre>
 */
public final class RedisStores {

  private RedisStores() {}

  /**
   * A guarded store over Redis. Redis need not be there yet.
   *
   * @param local what decides when Redis does not, if the guard says so; closed with the store
   * @param startWait the most that this call waits, for the first connection and then for a few
   *     decisions on keys of its own ({@code comporta:warm-up:...}), so that the first requests are
   *     shared already and in time; it returns early when the connection is refused
   * @throws IllegalStateException if a library is missing; the message names it
   * @throws IllegalArgumentException if the Redisson configuration is not valid
   */
  public static GuardedStore open(
      RedisOptions redis, LimitStore local, GuardOptions guard, Duration startWait) {
    require(RedisStores.class.getClassLoader());
    RedisLimitStore shared = new RedisLimitStore(redis);
    WarmUp.of(shared, startWait);
    return new GuardedStore(ofAnySlots(shared), local, guard);
  }

  /**
   * A guarded store over the {@code RRateLimiter} of Redisson, for policies that keep to {@link
   * #policiesOfRateLimiters}. Redis need not be there yet.
   *
   * @param local as for {@link #open}
   * @param startWait the most that this call waits for the first connection
   * @throws IllegalStateException if a library is missing; the message names it
   * @throws IllegalArgumentException if the Redisson configuration is not valid
   */
  public static GuardedStore openRateLimiters(
      RedisOptions redis, LimitStore local, GuardOptions guard, Duration startWait) {
    require(RedisStores.class.getClassLoader());
    RateLimiterStore shared = new RateLimiterStore(redis);
    shared.awaitReady(startWait);
    return new GuardedStore(shared, local, guard);
  }

  /** What a store over {@code RRateLimiter} can count. */
  public static PolicyCheck policiesOfRateLimiters() {
    return new RateLimiterPolicies();
  }

  /** A store that decides limits of several slots too, where there are slots. */
  static AsyncLimitStore ofAnySlots(RedisLimitStore store) {
    return store.isCluster() ? new SlotwiseStore(store, store::lookAsync) : store;
  }

  /**
   * Reads the Redisson configuration, if there is one, and connects to nothing.
   *
   * @throws IllegalStateException if a library is missing; the message names it
   * @throws IllegalArgumentException if that configuration is not valid; neither the message nor
   *     anything else quotes it
   */
  public static void requireValid(RedisOptions redis) {
    require(RedisStores.class.getClassLoader());
    RedissonConfig.of(redis);
  }

  static void require(ClassLoader loader) {
    require(loader, "org.redisson.Redisson", "org.redisson:redisson");
    require(
        loader,
        "io.github.resilience4j.circuitbreaker.CircuitBreaker",
        "io.github.resilience4j:resilience4j-circuitbreaker");
  }

  private static void require(ClassLoader loader, String className, String artifact) {
    try {
      Class.forName(className, false, loader);
    } catch (ClassNotFoundException missing) {
      throw new IllegalStateException(
          "comporta.store=redis needs " + artifact + ": add it to the dependencies", missing);
    }
  }
}
