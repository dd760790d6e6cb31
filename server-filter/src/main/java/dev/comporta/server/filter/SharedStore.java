package dev.comporta.server.filter;

import dev.comporta.server.config.StoreSettings;
import dev.comporta.server.policy.LeaseCheck;
import dev.comporta.server.policy.PolicyCheck;
import dev.comporta.server.policy.PolicyFault;
import dev.comporta.server.store.GuardOptions;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.redis.RedisOptions;
import dev.comporta.server.store.redis.RedisStores;
import dev.comporta.server.store.redis.Trips;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The store in Redis. A class of its own, so that nothing of Redisson is loaded where usage is kept
 * in memory.
 */
final class SharedStore {

  /** The most that the first to ask waits for a connection, so that it is shared already. */
  private static final Duration START_WAIT = Duration.ofSeconds(1);

  private SharedStore() {}

  /**
   * Opens it; Redis need not be there yet.
   *
   * @param local what decides when Redis does not, if the settings say so
   */
  static LimitStore open(StoreSettings settings, LimitStore local) {
    return switch (settings.engine()) {
      case SCRIPT -> RedisStores.open(redis(settings), local, guard(settings), START_WAIT);
      case RATE_LIMITER ->
          RedisStores.openRateLimiters(redis(settings), local, guard(settings), START_WAIT);
    };
  }

  /** What would keep it from being opened. */
  static List<PolicyFault> faults(StoreSettings settings) {
    if (!Libraries.hasRedisson() || !Libraries.hasResilience4j()) {
      return List.of(
          new PolicyFault(
              "comporta.store",
              "redis needs org.redisson:redisson and"
                  + " io.github.resilience4j:resilience4j-circuitbreaker in the application"));
    }
    List<PolicyFault> faults = new ArrayList<>();
    // Where it is nowhere, the reader of the settings has said why.
    settings
        .redis()
        .ifPresent(
            redis -> check(() -> RedisStores.requireValid(options(redis, settings)), faults));
    check(() -> guard(settings), faults);
    return faults;
  }

  /** What policies must keep to, so that it can count by them. */
  static PolicyCheck policyCheck(StoreSettings settings) {
    return switch (settings.engine()) {
      case SCRIPT -> new LeaseCheck();
      case RATE_LIMITER -> RedisStores.policiesOfRateLimiters();
    };
  }

  private static void check(Runnable part, List<PolicyFault> faults) {
    try {
      part.run();
    } catch (IllegalArgumentException invalid) {
      faults.add(new PolicyFault("comporta.redis", String.valueOf(invalid.getMessage())));
    }
  }

  private static RedisOptions redis(StoreSettings settings) {
    return settings
        .redis()
        .map(redis -> options(redis, settings))
        .orElseThrow(() -> new IllegalArgumentException("the store is redis, but it is nowhere"));
  }

  private static RedisOptions options(StoreSettings.Redis redis, StoreSettings settings) {
    RedisOptions.Server server =
        redis instanceof StoreSettings.RedisConfigFile file
            ? new RedisOptions.Server.ConfigFile(file.path())
            : new RedisOptions.Server.Address(((StoreSettings.RedisAddress) redis).uri());
    StoreSettings.Refusals refusals = settings.refusals();
    return new RedisOptions(
        server, settings.budget(), new Trips(true, refusals.kept(), refusals.keptRefundable()));
  }

  private static GuardOptions guard(StoreSettings settings) {
    return new GuardOptions(
        settings.budget(),
        settings.onFailure(),
        settings.localSharePercent(),
        GuardOptions.DEFAULT_RETRY_EVERY);
  }
}
