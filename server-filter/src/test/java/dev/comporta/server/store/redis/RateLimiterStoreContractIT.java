package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.OneLimitContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract as far as the nature of an {@code RRateLimiter} allows. What is not run here, and
 * why:
 *
 * <ul>
 *   <li>All of {@code LimitStoreContract} that asks several limits at once ({@code
 *       chargesNoLimitWhenOneRefuses}, {@code tellsFourAfterTheFirstOfFive}, {@code
 *       countsRemainingFromTheLimitToZero}, {@code waitsForTheLongestOfSeveralLimits}, {@code
 *       saysImpossibleToACostAboveTheLimitAndChargesNothing}, {@code
 *       neverAdmitsMoreThanTheLimitFromManyThreads}): it counts one limit at a time.
 *   <li>What drives the time by hand ({@code admitsAtRetryAfterAndNotOneMicrosecondBefore...},
 *       {@code keepsRetryAfterWhenAChangedLimitWasRefused}, {@code
 *       takesTheCostAsThatManyRequests}): it reads the clock of its JVM, in milliseconds. {@code
 *       RateLimiterStoreIT} waits instead.
 *   <li>What asks for an algorithm ({@code
 *       admitsInAllWhatTheLargerOneOfTwoConfigurationsAllowsWhenTheyTakeTurns}): it has one; {@code
 *       RateLimiterStoreIT} has that one.
 *   <li>All of {@code UsageChangeContract}: it has no debt, and what it gives back ({@code
 *       RRateLimiter.release}) comes back a second time when the window ends.
 * </ul>
 */
class RateLimiterStoreContractIT extends OneLimitContract {

  private static RedisServerProcess server;

  @BeforeAll
  static void startServer() {
    server = RedisServerProcess.started();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected LimitStore open(MicrosClock clock) {
    server.command("FLUSHALL");
    return new WaitingStore(
        new RateLimiterStore(RedisOptions.at(server.address()).within(Duration.ofSeconds(10))));
  }

  @Override
  protected KeyedLimit bucket(String key, long permits) {
    return keyed(key, new SlidingWindowLog(permits, 10 * MINUTE));
  }

  @Override
  protected KeyedLimit window(String key, long permits) {
    return bucket(key, permits);
  }
}
