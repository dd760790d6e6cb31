package dev.comporta.server.store;

import dev.comporta.server.algorithm.RateAlgorithm;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A shared store that never makes a request fail or wait: each decision has a time budget, a store
 * that is away is left alone, and what happens instead is a setting.
 *
 * <p>Only a store error leads to the fallback, never a refusal. Thread-safe; of its methods only
 * {@link #peek} throws {@link StoreException}.
 *
 * <pre>{@code
 * LimitStore store = new GuardedStore(
 *     new RedisLimitStore(RedisOptions.at("redis://localhost:6379")),
 *     new MemoryLimitStore(100_000, MicrosClock.system()),
 *     GuardOptions.defaults());
 * }</pre>
 */
public final class GuardedStore implements WatchedStore {

  /*
   * How this works, and why
   *
   * A client library's own time-outs fire later than set, so the wait is ours: no request asks to
   * wait longer than the budget. Still, 50 ms for each of a thousand requests a second would hold
   * fifty threads. So a circuit breaker counts: when half of the last 10 answers did not come, it
   * opens, and requests are decided by the fallback at once. Every second it lets 2 requests try;
   * when both get an answer, the store is shared again. At worst 10 requests and those already
   * waiting pay the budget at the start of an outage, and 2 a second during it.
   *
   * An error that no retry can mend (an unreadable state, keys in two slots of a cluster) is not a
   * store that is away: it answers quickly, and other callers are served. It does not open the
   * breaker; that request falls back, and the log says so at ERROR, at most once a minute.
   */

  private static final int WATCHED_CALLS = 10;
  private static final int LEAST_CALLS = 5;
  private static final float MOST_FAILED_PERCENT = 50;
  private static final int PROBES = 2;

  /** Permits that a decision takes beyond its cost: none. */
  private static final int NO_LEASE = 1;

  private final AsyncLimitStore shared;
  private final LimitStore local;
  private final GuardOptions options;
  private final Clock clock;
  private final CircuitBreaker breaker;
  private final BoundedWait wait;
  private final LocalShare share;
  private final GuardLog log;
  private final OutageCounter outages = new OutageCounter();
  private volatile boolean hasAnswered;
  private volatile boolean isFaulty;

  /**
   * Guards that store.
   *
   * @param shared asked first
   * @param local asked when {@code shared} has no answer and the options say {@link
   *     OnStoreFailure#LOCAL}; must not fail
   */
  public GuardedStore(AsyncLimitStore shared, LimitStore local, GuardOptions options) {
    this(shared, local, options, Clock.systemUTC(), BoundedWait.inThisThread());
  }

  GuardedStore(
      AsyncLimitStore shared,
      LimitStore local,
      GuardOptions options,
      Clock clock,
      BoundedWait wait) {
    this.shared = shared;
    this.local = local;
    this.options = options;
    this.clock = clock;
    this.breaker = CircuitBreaker.of("comporta-store", breakerConfig(options, clock));
    this.wait = wait;
    this.share = new LocalShare(options.localSharePercent());
    this.log = new GuardLog(options.onFailure(), clock);
    breaker
        .getEventPublisher()
        .onStateTransition(
            event -> {
              switch (event.getStateTransition()) {
                case CLOSED_TO_OPEN -> log.away();
                case HALF_OPEN_TO_CLOSED -> log.shared();
                default -> {
                  // A probe begins or fails: the mode is the same.
                }
              }
            });
  }

  @Override
  public boolean isShared() {
    return breaker.getState() == CircuitBreaker.State.CLOSED;
  }

  @Override
  public boolean hasAnswered() {
    return hasAnswered;
  }

  @Override
  public boolean isFaulty() {
    return isFaulty;
  }

  @Override
  public TripCounts tripCounts() {
    return shared.tripCounts();
  }

  @Override
  public OutageCounts outageCounts() {
    return outages.counts();
  }

  @Override
  public Verdict decide(List<KeyedLimit> limits, long cost) {
    return decide(limits, cost, NO_LEASE);
  }

  /** While the store is away, what is left of a lease may still be used, until it ends. */
  @Override
  public Verdict decide(List<KeyedLimit> limits, long cost, int lease) {
    RateAlgorithm.requireCost(cost);
    Optional<Verdict> known = shared.decideAtOnce(limits, cost, lease);
    if (known.isPresent()) {
      // Says nothing about the store: it was not asked.
      return known.get();
    }
    Optional<Verdict> verdict = ask(() -> shared.decideAsync(limits, cost, lease));
    if (verdict.isPresent()) {
      return verdict.get();
    }
    outages.alone();
    return switch (options.onFailure()) {
      case LOCAL -> local.decide(share.of(limits, cost), cost);
      case ALLOW -> new Verdict.Unchecked();
      case DENY ->
          new Verdict.Unavailable(TimeUnit.NANOSECONDS.toMicros(options.retryEvery().toNanos()));
    };
  }

  /** Not guarded: no request waits for changes, and whoever makes one is told when it fails. */
  @Override
  public Optional<SharedChanges> changes(String key) {
    return shared.changes(key);
  }

  @Override
  public void mayGiveBack(List<KeyedLimit> limits) {
    shared.mayGiveBack(limits);
  }

  /**
   * Where the caller stands, by this node's own count while the store is away.
   *
   * @throws StoreException if the store is away and the options are not {@link
   *     OnStoreFailure#LOCAL}: then nobody knows
   */
  @Override
  public Standings peek(List<KeyedLimit> limits) {
    Optional<Standings> standings = ask(() -> shared.peekAsync(limits));
    if (standings.isPresent()) {
      return standings.get();
    }
    return switch (options.onFailure()) {
      case LOCAL -> local.peek(share.of(limits, 1));
      case ALLOW, DENY -> throw new StoreException("the shared store does not answer");
    };
  }

  /**
   * Corrects what was charged, where it can: in the shared store, or in this node's own count while
   * that is away and the options are {@link OnStoreFailure#LOCAL}. Never throws {@link
   * StoreException}: the request that was charged has its answer, and must not fail by this.
   *
   * <p>A charge and its correction can so fall on the two sides of an outage. A surcharge then
   * counts where decisions are made now. A refund gives back no more than that side itself has
   * counted for this caller since the charge. What is lost is logged.
   *
   * @return empty standings if the store is away and the options are not {@code LOCAL}
   */
  @Override
  public Standings settle(List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    Optional<Standings> standings = ask(() -> shared.settleAsync(limits, permits, chargedAtMicros));
    if (standings.isPresent()) {
      return standings.get();
    }
    log.lost("surcharge or refund");
    return switch (options.onFailure()) {
      case LOCAL -> local.settle(share.of(limits, 1), permits, chargedAtMicros);
      case ALLOW, DENY -> new Standings(List.of(), chargedAtMicros);
    };
  }

  /**
   * Gives usage back where it can, as {@link #settle} does, and is logged if the shared store does
   * not confirm it.
   *
   * @return empty standings if the store is away and the options are not {@code LOCAL}
   */
  @Override
  public Standings grant(List<KeyedLimit> limits, long permits) {
    RateAlgorithm.requireCost(permits);
    Optional<Standings> standings = ask(() -> shared.grantAsync(limits, permits));
    if (standings.isPresent()) {
      return standings.get();
    }
    log.lost("grant");
    return switch (options.onFailure()) {
      case LOCAL -> local.grant(share.of(limits, 1), permits);
      case ALLOW, DENY -> new Standings(List.of(), TimeUnit.MILLISECONDS.toMicros(clock.millis()));
    };
  }

  /**
   * Forgets the usage in the shared store and in this node's own count. Never throws {@link
   * StoreException}: if the shared store does not confirm it, that is logged, and the usage there
   * ends by itself as time passes.
   */
  @Override
  public void reset(List<KeyedLimit> limits) {
    local.reset(limits);
    if (ask(() -> shared.resetAsync(limits).thenApply(done -> Boolean.TRUE)).isEmpty()) {
      log.lost("reset");
    }
  }

  @Override
  public void close() {
    try {
      shared.close();
    } finally {
      local.close();
    }
  }

  private <T> Optional<T> ask(Supplier<CompletionStage<T>> question) {
    if (!breaker.tryAcquirePermission()) {
      return Optional.empty();
    }
    CompletableFuture<T> answer = asked(question);
    try {
      T value = wait.await(answer, options.timeBudget().toNanos());
      breaker.onSuccess(0, TimeUnit.NANOSECONDS);
      answered();
      return Optional.of(value);
    } catch (InterruptedException interrupted) {
      // Says nothing about the store.
      breaker.releasePermission();
      Thread.currentThread().interrupt();
    } catch (ExecutionException failed) {
      record(failed.getCause() == null ? failed : failed.getCause());
    } catch (TimeoutException | CancellationException late) {
      record(late);
    }
    answer.cancel(false);
    return Optional.empty();
  }

  private <T> CompletableFuture<T> asked(Supplier<CompletionStage<T>> question) {
    try {
      return question.get().toCompletableFuture();
    } catch (RuntimeException | Error unasked) {
      if (unasked instanceof VirtualMachineError end && !isLackOfThreads(end)) {
        breaker.releasePermission();
        throw end;
      }
      return CompletableFuture.failedFuture(unasked);
    }
  }

  /** Whether the memory suffices, and only the system gives no more threads; so says the JDK. */
  private static boolean isLackOfThreads(VirtualMachineError error) {
    return error instanceof OutOfMemoryError
        && String.valueOf(error.getMessage()).contains("native thread");
  }

  /* Written only when it changes: every request comes by here. */
  private void answered() {
    if (!hasAnswered) {
      hasAnswered = true;
    }
    if (isFaulty) {
      isFaulty = false;
    }
  }

  private void record(Throwable failure) {
    outages.unanswered(failure);
    if (failure instanceof StoreException error && error.isPermanent()) {
      breaker.onSuccess(0, TimeUnit.NANOSECONDS);
      isFaulty = true;
      log.permanent(error);
      return;
    }
    isFaulty = false;
    log.failed(failure);
    breaker.onError(0, TimeUnit.NANOSECONDS, failure);
  }

  private static CircuitBreakerConfig breakerConfig(GuardOptions options, Clock clock) {
    return CircuitBreakerConfig.custom()
        .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
        .slidingWindowSize(WATCHED_CALLS)
        .minimumNumberOfCalls(LEAST_CALLS)
        .failureRateThreshold(MOST_FAILED_PERCENT)
        .waitDurationInOpenState(options.retryEvery())
        .permittedNumberOfCallsInHalfOpenState(PROBES)
        .clock(clock)
        .build();
  }
}
