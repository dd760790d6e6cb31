package dev.comporta.server.store.redis;

import dev.comporta.server.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.CommonOptions;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * One Redisson client that is connected apart from the threads that use it. Thread-safe.
 *
 * <p>Redisson connects lazily within the first call, and that call then blocks for as long as
 * connecting takes. So the first calls are made by a short-lived daemon thread of our own, one at a
 * time, each begun by whoever finds the last one failed. Once connected, Redisson reconnects by
 * itself.
 */
final class RedisConnection implements AutoCloseable {

  private static final long SHUTDOWN_SECONDS = 2;

  /** The time-out of what no request waits for: a busy Redis need not be asked in vain. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final boolean isCluster;
  private final Duration timeBudget;
  private final RedissonClient client;
  private final RScript script;
  private final RScript patientScript;
  private final Consumer<RScript> firstCall;

  private CompletableFuture<RScript> attempt;
  private boolean isClosed;

  /**
   * Begins to connect, and returns at once.
   *
   * @param firstCall a call that blocks until connected, or throws
   */
  RedisConnection(RedisOptions options, Consumer<RScript> firstCall) {
    Config config = RedissonConfig.of(options);
    this.isCluster = config.isClusterConfig();
    this.timeBudget = options.timeBudget();
    this.client = Redisson.create(config);
    this.script = script(options.timeBudget());
    this.patientScript = script(longer(options.timeBudget(), PATIENCE));
    this.firstCall = firstCall;
    this.attempt = begin();
  }

  /** Whether a command must stay in one slot. */
  boolean isCluster() {
    return isCluster;
  }

  /** The connected client, now or soon; fails when the attempt under way does. */
  synchronized CompletableFuture<RScript> script() {
    if (isClosed) {
      return CompletableFuture.failedFuture(new StoreException("the store is closed"));
    }
    if (attempt.isCompletedExceptionally()) {
      attempt = begin();
    }
    return attempt;
  }

  /** The same for calls that no request waits for. */
  CompletableFuture<RScript> patientScript() {
    return script().thenApply(same -> patientScript);
  }

  /** That limiter of Redisson, with the time-out and without the retries of the script. */
  RRateLimiter rateLimiter(String name) {
    return client.getRateLimiter(CommonOptions.name(name).timeout(timeBudget).retryAttempts(0));
  }

  /** Whether the attempt under way succeeds within that time. */
  boolean awaitReady(Duration atMost) {
    try {
      script().get(atMost.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
    }
    client.shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
  }

  private RScript script(Duration timeout) {
    return client.getScript(
        OptionalOptions.defaults().codec(StringCodec.INSTANCE).timeout(timeout).retryAttempts(0));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private CompletableFuture<RScript> begin() {
    CompletableFuture<RScript> outcome = new CompletableFuture<>();
    Thread thread = new Thread(() -> connect(outcome), "comporta-redis-connect");
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError noThread) {
      // The machine has no thread left, for now: whoever asks next tries again.
      outcome.completeExceptionally(RedisFailures.ofConnecting(noThread));
    }
    return outcome;
  }

  /* Whatever is thrown, the attempt has ended: one that never did would keep others from trying. */
  private void connect(CompletableFuture<RScript> outcome) {
    try {
      firstCall.accept(script);
      outcome.complete(script);
    } catch (RuntimeException failed) {
      outcome.completeExceptionally(RedisFailures.ofConnecting(failed));
    } catch (Throwable broken) {
      outcome.completeExceptionally(RedisFailures.ofConnecting(broken));
      throw broken;
    }
  }
}
