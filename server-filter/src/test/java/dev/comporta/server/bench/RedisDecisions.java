package dev.comporta.server.bench;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.bench.RedisPeers.Limit;
import dev.comporta.server.store.redis.RedisServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * What a decision with a Redis costs, beside its peers: one Redis process, every limiter in this
 * one, asked in turn. The figures of a row are the best of its rounds: whatever else runs can only
 * add to them.
 */
final class RedisDecisions {

  private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);
  private static final int[] THREADS = {1, 4, 16, 64};
  private static final int CALLERS = 1_000;
  private static final int CALLERS_FOR_BYTES = 10_000;

  /** So much that nobody is refused, and usage that lasts longer than a moment. */
  private static final Limit AMPLE = new Limit(10_000_000, Duration.ofDays(1));

  private static final Limit SPENT = new Limit(1, Duration.ofDays(1));

  private static final String INCREMENT = "RAtomicLong, increment";
  private static final String SCRIPT = "plain script";

  private static final String ONE_ADMITTED = "one, admitted";
  private static final String ONE_REFUSED = "one, refused";

  private RedisDecisions() {}

  private record Row(String callers, int threads, String limiter) {}

  /** The best of several looks. */
  private record Best(double perSecond, double p50, double p99, RedisSlice.Costs costs) {

    static Best of(RedisSlice slice) {
      return new Best(slice.perSecond(), slice.p50Micros(), slice.p99Micros(), slice.costs());
    }

    Best or(Best other) {
      return new Best(
          Math.max(perSecond, other.perSecond),
          Math.min(p50, other.p50),
          Math.min(p99, other.p99),
          costs.least(other.costs));
    }
  }

  static void measure() {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    List<RedisLimiter> all = new ArrayList<>();
    try (RedisServerProcess redis = RedisServerProcess.started()) {
      Map<String, RedisLimiter> ample = limiters(redis.address(), AMPLE);
      all.addAll(ample.values());
      Map<String, RedisLimiter> spent = limiters(redis.address(), SPENT);
      all.addAll(spent.values());
      spent.keySet().removeIf(name -> name.startsWith(INCREMENT));
      measure(redis, ample, spent);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a limiter failed", e);
    } finally {
      all.forEach(RedisLimiter::close);
    }
    printBytes();
  }

  private static void measure(
      RedisServerProcess redis, Map<String, RedisLimiter> ample, Map<String, RedisLimiter> spent)
      throws InterruptedException, ExecutionException {
    Map<Row, Best> measured = new LinkedHashMap<>();
    // Nothing is measured until all are compiled.
    look(redis, ample, "many", 16, new LinkedHashMap<>());
    look(redis, ample, ONE_ADMITTED, 16, new LinkedHashMap<>());
    for (int round = 0; round < ROUNDS; round++) {
      for (int threads : THREADS) {
        look(redis, ample, "many", threads, measured);
      }
      look(redis, ample, ONE_ADMITTED, 64, measured);
      look(redis, spent, ONE_REFUSED, 64, measured);
      System.out.printf("%nAfter %d of %d rounds:%n", round + 1, ROUNDS);
      print(measured);
    }
  }

  private static Map<String, RedisLimiter> limiters(String address, Limit limit) {
    Map<String, RedisLimiter> all = new LinkedHashMap<>();
    all.put(INCREMENT, RedisPeers.increment(RedisPeers.defaults(address)));
    all.put(INCREMENT + ", client as ours", RedisPeers.increment(RedisPeers.asOurs(address)));
    all.put(SCRIPT, RedisPeers.script(RedisPeers.defaults(address), limit));
    all.put(SCRIPT + ", client as ours", RedisPeers.script(RedisPeers.asOurs(address), limit));
    all.put("RRateLimiter", RedisPeers.rateLimiter(RedisPeers.defaults(address), limit));
    all.put(
        "Bucket4j over Redisson",
        RedisPeers.bucket4jOverRedisson(RedisPeers.defaults(address), limit));
    all.put("Bucket4j over Lettuce", RedisPeers.bucket4jOverLettuce(address, limit));
    TokenBucket ours = new TokenBucket(limit.permits(), limit.micros(), limit.permits());
    all.put("comporta", RedisPeers.ours(address, ours, 1));
    all.put("comporta, leases of 10", RedisPeers.ours(address, ours, 10));
    all.put("comporta, leases of 50", RedisPeers.ours(address, ours, 50));
    return all;
  }

  private static void look(
      RedisServerProcess redis,
      Map<String, RedisLimiter> limiters,
      String callers,
      int threads,
      Map<Row, Best> measured)
      throws InterruptedException, ExecutionException {
    boolean isRefused = callers.equals(ONE_REFUSED);
    String[] keys = Keys.of(callers.equals("many") ? CALLERS : 1);
    for (Map.Entry<String, RedisLimiter> each : limiters.entrySet()) {
      redis.command("FLUSHALL");
      each.getValue().prepare(keys);
      if (isRefused) {
        each.getValue().isAdmitted(keys[0]);
      }
      RedisSlice slice = RedisSlice.of(redis, each.getValue(), keys, threads, !isRefused);
      measured.merge(new Row(callers, threads, each.getKey()), Best.of(slice), Best::or);
    }
  }

  private static void print(Map<Row, Best> measured) {
    System.out.println(
        "\n| callers | threads | limiter | decisions/s | of plain script | p50 µs | p99 µs"
            + " | CPU of client µs | of Redis µs | reads by Redis |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|");
    measured.forEach(
        (row, best) -> {
          Best plain = measured.get(new Row(row.callers(), row.threads(), SCRIPT));
          System.out.printf(
              Locale.ROOT,
              "| %s | %d | %s | %.0f | %.2f | %.0f | %.0f | %.1f | %.1f | %.4f |%n",
              row.callers(),
              row.threads(),
              row.limiter(),
              best.perSecond(),
              plain == null ? Double.NaN : best.perSecond() / plain.perSecond(),
              best.p50(),
              best.p99(),
              best.costs().clientMicros(),
              best.costs().redisMicros(),
              best.costs().reads());
        });
  }

  /** What one decision for each caller leaves behind, in a Redis without long buffers. */
  private static void printBytes() {
    System.out.println("\n| limiter | bytes per caller | keys per caller |");
    System.out.println("|---|---|---|");
    String[] keys = Keys.of(CALLERS_FOR_BYTES);
    String[] others = Keys.of(2 * CALLERS_FOR_BYTES);
    try (RedisServerProcess redis = RedisServerProcess.started()) {
      Map<String, RedisLimiter> limiters = limiters(redis.address(), SPENT);
      limiters.forEach(
          (name, limiter) -> {
            for (int i = 0; i < 100; i++) {
              limiter.prepare(new String[] {others[CALLERS_FOR_BYTES + i]});
              limiter.isAdmitted(others[CALLERS_FOR_BYTES + i]);
            }
            redis.command("FLUSHALL");
            double before = kept(redis);
            limiter.prepare(keys);
            for (String key : keys) {
              limiter.isAdmitted(key);
            }
            System.out.printf(
                Locale.ROOT,
                "| %s | %.0f | %.0f |%n",
                name,
                (kept(redis) - before) / CALLERS_FOR_BYTES,
                Double.parseDouble(redis.command("DBSIZE").substring(1)) / CALLERS_FOR_BYTES);
          });
      limiters.values().forEach(RedisLimiter::close);
    }
  }

  /** Without the buffers of connections, which come and go. */
  private static double kept(RedisServerProcess redis) {
    return redis.figure("used_memory") - redis.figure("mem_clients_normal");
  }
}
