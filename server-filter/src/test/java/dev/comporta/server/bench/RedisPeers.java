package dev.comporta.server.bench;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.store.GuardOptions;
import dev.comporta.server.store.GuardedStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.OnStoreFailure;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import dev.comporta.server.store.redis.RedisLimitStore;
import dev.comporta.server.store.redis.RedisOptions;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.bucket4j.redis.redisson.Bucket4jRedisson;
import io.lettuce.core.RedisClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.redisson.Redisson;
import org.redisson.api.RScript;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** What is measured, each as its documentation shows it. */
final class RedisPeers {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * What a competent engineer would write: the time of Redis, one string that expires, yes or no.
   */
  private static final String GCRA =
      """
      local time = redis.call('TIME')
      local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
      local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
      local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0)) + interval
      if full - now > burst then
        return 0
      end
      redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
      return 1
      """;

  private RedisPeers() {}

  /** A limit that all are given: so many permits per window, and as many at once. */
  record Limit(long permits, Duration window) {

    long micros() {
      return window.toNanos() / 1_000;
    }
  }

  /** Redisson as it comes. */
  static Config defaults(String address) {
    Config config = new Config();
    config.useSingleServer().setAddress(address);
    return config;
  }

  /** The client that {@link RedisLimitStore} makes for itself. */
  static Config asOurs(String address) {
    Config config = new Config();
    config
        .useSingleServer()
        .setAddress(address)
        .setConnectionPoolSize(8)
        .setConnectionMinimumIdleSize(2);
    return config.setNettyThreads(2).setThreads(2);
  }

  /** Counts, and decides nothing. */
  static RedisLimiter increment(Config config) {
    RedissonClient client = Redisson.create(config);
    return limiter(key -> client.getAtomicLong(key).incrementAndGet() > 0, client::shutdown);
  }

  /** One script for each decision. */
  static RedisLimiter script(Config config, Limit limit) {
    RedissonClient client = Redisson.create(config);
    RScript script = client.getScript(StringCodec.INSTANCE);
    Object[] arguments = {
      Long.toString(limit.micros() / limit.permits()), Long.toString(limit.micros())
    };
    return limiter(
        key -> {
          Long answer =
              script.eval(
                  RScript.Mode.READ_WRITE, GCRA, RScript.ReturnType.LONG, List.of(key), arguments);
          return answer == 1;
        },
        client::shutdown);
  }

  /** Redisson's own limiter. */
  static RedisLimiter rateLimiter(Config config, Limit limit) {
    RedissonClient client = Redisson.create(config);
    return new RedisLimiter() {
      @Override
      public boolean isAdmitted(String key) {
        return client.getRateLimiter(key).tryAcquire();
      }

      @Override
      public void prepare(String[] keys) {
        for (String key : keys) {
          client.getRateLimiter(key).trySetRate(RateType.OVERALL, limit.permits(), limit.window());
        }
      }

      @Override
      public void close() {
        client.shutdown();
      }
    };
  }

  /** Bucket4j over Redisson. */
  static RedisLimiter bucket4jOverRedisson(Config config, Limit limit) {
    Redisson client = (Redisson) Redisson.create(config);
    ProxyManager<String> buckets =
        Bucket4jRedisson.casBasedBuilder(client.getCommandExecutor())
            .expirationAfterWrite(expiry())
            .build();
    BucketConfiguration bucket = bucket(limit);
    return limiter(
        key -> buckets.builder().build(key, () -> bucket).tryConsume(1), client::shutdown);
  }

  /** Bucket4j over Lettuce. */
  static RedisLimiter bucket4jOverLettuce(String address, Limit limit) {
    RedisClient client = RedisClient.create(address);
    ProxyManager<byte[]> buckets =
        Bucket4jLettuce.casBasedBuilder(client).expirationAfterWrite(expiry()).build();
    BucketConfiguration bucket = bucket(limit);
    return limiter(
        key ->
            buckets
                .builder()
                .build(key.getBytes(StandardCharsets.UTF_8), () -> bucket)
                .tryConsume(1),
        client::shutdown);
  }

  /**
   * Ours, as a request asks it.
   *
   * @param lease how many permits a decision may take at most; 1 is no lease
   */
  static RedisLimiter ours(String address, RateAlgorithm limit, int lease) {
    RedisLimitStore redis = new RedisLimitStore(RedisOptions.at(address).within(PATIENCE));
    if (!redis.awaitReady(PATIENCE)) {
      throw new IllegalStateException("Redis is not there");
    }
    GuardedStore store =
        new GuardedStore(
            redis,
            new MemoryLimitStore(10, MicrosClock.system()),
            new GuardOptions(PATIENCE, OnStoreFailure.DENY, 100, Duration.ofSeconds(1)));
    return limiter(
        key -> {
          Verdict verdict = store.decide(List.of(new KeyedLimit(key, limit)), 1, lease);
          if (!(verdict instanceof Verdict.Decided)) {
            throw new IllegalStateException("no decision: " + verdict);
          }
          return verdict instanceof Verdict.Admitted;
        },
        store::close);
  }

  private static ExpirationAfterWriteStrategy expiry() {
    return ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(1));
  }

  private static BucketConfiguration bucket(Limit limit) {
    return BucketConfiguration.builder()
        .addLimit(
            each -> each.capacity(limit.permits()).refillGreedy(limit.permits(), limit.window()))
        .build();
  }

  private static RedisLimiter limiter(Function<String, Boolean> decision, Runnable end) {
    return new RedisLimiter() {
      @Override
      public boolean isAdmitted(String key) {
        return decision.apply(key);
      }

      @Override
      public void close() {
        end.run();
      }
    };
  }
}
