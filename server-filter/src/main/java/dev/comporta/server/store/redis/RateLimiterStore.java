package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.store.AsyncLimitStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore.Standings;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.MonotonicClock;
import dev.comporta.server.store.SharedChanges;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdicts;
import dev.comporta.server.store.redis.RateLimiterLook.Mode;
import dev.comporta.server.store.redis.RateLimiterLook.Readiness;
import dev.comporta.server.store.redis.RateLimiterLook.Seen;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RScript;
import org.redisson.api.RateType;
import org.redisson.api.ratelimiter.RateLimiterArgs;

/**
 * Usage kept in Redis by the {@code RRateLimiter} of Redisson, one for each caller, so that it can
 * be seen and used by whoever knows that. A request has one limit here, and that is a sliding
 * window log in whole milliseconds.
 *
 * <p>The clock is that of each node: one whose clock is ahead by some seconds admits as if the
 * window were shorter by these. Usage can neither be given back nor be taken as a debt. For
 * anything else there is {@link RedisLimitStore}.
 *
 * <p>A start without Redis is not an error: it connects by itself, now and whenever it is asked.
 * Thread-safe.
 */
public final class RateLimiterStore implements AsyncLimitStore {

  /*
   * How this works, and why
   *
   * An RRateLimiter says yes or no, and nothing of how much remains or when to come again. So its
   * keys are looked at first, by a script of ours. If what is used leaves no room, that is the
   * answer: one trip, nothing written. Else the limiter is asked, and its answer counts; what it has
   * been charged is added to what was seen. So a refusal is one trip, an admission two.
   *
   * What it cannot do alone, and what is done about it:
   *   no expiry                    every limiter is given the window and a second to live
   *   a changed rate is ignored    the look tells, and updateRate changes it
   *   lowered below what is used   updateRate counts from 0, so that a caller who keeps asking has
   *                                the old rate for ever; the value is counted anew, below 0
   *   cost above the rate throws   never asked
   *   lost settings, value or      the look tells; given the rate again, or counted anew. Without
   *   permits                      permits the usage is lost
   * In between, another node may change the same limiter: then it is looked at again, a few times.
   */

  /** To be made, to be given a rate, to be asked; and each once more. */
  private static final int TRIES = 6;

  private static final long MICROS_PER_MILLI = 1_000;

  /** How the scripts of Redisson fail. */
  private static final String FAILED_SCRIPT = "user_script";

  private final RateLimiterLook look = new RateLimiterLook();
  private final RedisConnection connection;
  private final MicrosClock clock;

  /**
   * Begins to connect, and returns at once.
   *
   * @throws IllegalArgumentException if the Redisson configuration is not valid
   */
  public RateLimiterStore(RedisOptions options) {
    this.clock = MicrosClock.system();
    this.connection = new RedisConnection(options, RateLimiterStore::runNothing);
  }

  /**
   * Waits until connected. Returns early when Redis refuses the connection.
   *
   * @return whether it is connected; if not, nothing is wrong yet
   */
  public boolean awaitReady(Duration atMost) {
    return connection.awaitReady(atMost);
  }

  @Override
  public Optional<SharedChanges> changes(String key) {
    return Optional.of(
        new RedisChanges(connection, ChangeScripts.byServerTime(), key, MonotonicClock.system()));
  }

  @Override
  public CompletionStage<Verdict> decideAsync(List<KeyedLimit> limits, long cost) {
    return call(
        limits,
        (script, limit, answer) ->
            decide(script, new Asked(limit, cost, TRIES, answer), Mode.DECIDE));
  }

  @Override
  public CompletionStage<Standings> peekAsync(List<KeyedLimit> limits) {
    return call(limits, (script, limit, answer) -> peek(script, limit));
  }

  /** Only looks if there is nothing to correct; else fails. */
  @Override
  public CompletionStage<Standings> settleAsync(
      List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    return permits == 0 ? peekAsync(limits) : unable("settle");
  }

  /** Fails. */
  @Override
  public CompletionStage<Standings> grantAsync(List<KeyedLimit> limits, long permits) {
    return unable("give back");
  }

  @Override
  public CompletionStage<@Nullable Void> resetAsync(List<KeyedLimit> limits) {
    return call(
        limits, (script, limit, answer) -> look.reset(script, limit).thenApply(done -> null));
  }

  @Override
  public void close() {
    connection.close();
  }

  private CompletionStage<Standings> peek(RScript script, KeyedLimit limit) {
    return look.look(script, limit, Mode.LOOK, 1, nowMicros())
        .thenApply(
            seen ->
                new Standings(
                    Verdicts.standings(List.of(limit), seen.states(), seen.nowMicros()),
                    seen.nowMicros()));
  }

  private CompletionStage<Verdict> decide(RScript script, Asked asked, Mode mode) {
    return look.look(script, asked.limit(), mode, asked.cost(), nowMicros())
        .thenCompose(seen -> act(script, asked, seen));
  }

  /**
   * A question.
   *
   * @param tries how often it may still be looked at again
   * @param answer is done when nobody waits any more
   */
  private record Asked(KeyedLimit limit, long cost, int tries, Future<?> answer) {

    Asked again() {
      return new Asked(limit, cost, tries - 1, answer);
    }

    boolean isAllowedBy(Seen seen) {
      return Verdicts.areAllAllowed(List.of(limit), seen.states(), cost, seen.nowMicros());
    }

    Verdict refusedBy(Seen seen) {
      return Verdicts.notAdmitted(List.of(limit), seen.states(), cost, seen.nowMicros());
    }

    Verdict admittedAfter(Seen seen) {
      long[] charged = limit.limit().charge(seen.states().get(0), cost, seen.nowMicros());
      return Verdicts.admitted(List.of(limit), List.of(charged), seen.nowMicros());
    }

    /** When others were quicker, again and again. */
    Verdict refusedForNow(Seen seen) {
      return new Verdict.Refused(
          Verdicts.standings(List.of(limit), seen.states(), seen.nowMicros()),
          seen.nowMicros(),
          0,
          MICROS_PER_MILLI);
    }
  }

  private CompletionStage<Verdict> act(RScript script, Asked asked, Seen seen) {
    if (!asked.isAllowedBy(seen)) {
      return CompletableFuture.completedFuture(asked.refusedBy(seen));
    }
    if (asked.answer().isDone()) {
      // Whoever asked has decided otherwise, and must not be charged here too.
      return CompletableFuture.failedFuture(new StoreException("nobody waits any more"));
    }
    KeyedLimit limit = asked.limit();
    if (asked.tries() == 0) {
      return CompletableFuture.completedFuture(asked.refusedForNow(seen));
    }
    Readiness readiness = seen.readiness();
    if (readiness instanceof Readiness.Former former) {
      return look.move(script, limit, former)
          .thenCompose(moved -> again(script, asked, Mode.DECIDE));
    }
    if (readiness instanceof Readiness.Absent) {
      return made(limit).thenCompose(made -> again(script, asked, Mode.MEND));
    }
    if (readiness instanceof Readiness.Changed) {
      return changed(limit).thenCompose(changed -> again(script, asked, Mode.MEND));
    }
    return acquire(script, asked, seen);
  }

  private CompletionStage<Verdict> again(RScript script, Asked asked, Mode mode) {
    return decide(script, asked.again(), mode);
  }

  private CompletionStage<Verdict> acquire(RScript script, Asked asked, Seen seen) {
    return limiter(asked.limit())
        .tryAcquireAsync(asked.cost())
        .handle(
            (isAdmitted, failure) -> {
              if (failure != null) {
                return failed(script, asked, failure);
              }
              return isAdmitted
                  ? CompletableFuture.completedFuture(asked.admittedAfter(seen))
                  : again(script, asked, Mode.DECIDE);
            })
        .thenCompose(Function.identity());
  }

  /** Another node has changed the limiter, or Redis has lost a part of it, since it was seen. */
  private CompletionStage<Verdict> failed(RScript script, Asked asked, Throwable failure) {
    boolean isOfScript = String.valueOf(failure.getMessage()).contains(FAILED_SCRIPT);
    return isOfScript ? again(script, asked, Mode.MEND) : CompletableFuture.failedFuture(failure);
  }

  private CompletionStage<Boolean> made(KeyedLimit limit) {
    RateAlgorithm log = limit.limit();
    return limiter(limit)
        .trySetRateAsync(
            RateType.OVERALL, log.limit(), RateLimiterLook.window(log), RateLimiterLook.kept(log));
  }

  private CompletionStage<Boolean> changed(KeyedLimit limit) {
    RateAlgorithm log = limit.limit();
    return limiter(limit)
        .updateRateAsync(
            RateLimiterArgs.of(RateType.OVERALL, log.limit(), RateLimiterLook.window(log))
                .keepAliveTime(RateLimiterLook.kept(log))
                .keepState(true));
  }

  private RRateLimiter limiter(KeyedLimit limit) {
    return connection.rateLimiter(limit.key());
  }

  /** In whole milliseconds, which are all that a limiter knows. */
  private long nowMicros() {
    return Math.floorDiv(clock.nowMicros(), MICROS_PER_MILLI) * MICROS_PER_MILLI;
  }

  /** What is asked of one limiter. */
  private interface Question<T extends @Nullable Object> {

    CompletionStage<T> ask(RScript script, KeyedLimit limit, Future<?> answer);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // All that happens is told by the answer.
  private <T extends @Nullable Object> CompletionStage<T> call(
      List<KeyedLimit> limits, Question<T> question) {
    if (limits.size() != 1 || limits.get(0).limit().kind() != Algorithm.SLIDING_WINDOW_LOG) {
      return unable("count other than one sliding window log at a time");
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    connection
        .script()
        .thenCompose(
            script ->
                answer.isDone()
                    ? CompletableFuture.failedFuture(new StoreException("nobody waits any more"))
                    : question.ask(script, limits.get(0), answer))
        .whenComplete(
            (value, failure) -> {
              if (failure == null) {
                answer.complete(value);
              } else {
                answer.completeExceptionally(RedisFailures.of(failure));
              }
            });
    return answer;
  }

  private static <T extends @Nullable Object> CompletionStage<T> unable(String what) {
    return CompletableFuture.failedFuture(
        StoreException.permanent(
            "comporta.redis.engine=rate-limiter cannot " + what + ", 'script' can"));
  }

  private static void runNothing(RScript script) {
    script.eval(RScript.Mode.READ_WRITE, "return 1", RScript.ReturnType.LONG);
  }
}
