package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.FixedWindow;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.policy.SpanWindow;
import dev.comporta.server.store.AsyncLimitStore;
import dev.comporta.server.store.KeyedLimit;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A few decisions for nobody, before the first caller comes: they load into Redis and here what
 * decides by one algorithm, or by bucket and weighted window together, and what looks; which would
 * cost the first caller more than the time budget on a small machine.
 *
 * <p>The keys are {@code comporta:warm-up:{uuid}:} and an algorithm, with a new UUID for each
 * start. No caller has such a key: what follows the namespace there is the version of the keys, a
 * number. They expire one second after they were written.
 */
final class WarmUp {

  /** The first loads, the second shows that a script is found, the third runs what is loaded. */
  private static final int ROUNDS = 3;

  /** A limit that has recovered within milliseconds, so that its key outlives it by the slack. */
  private static final int PERMITS = 10;

  private static final long WINDOW_MICROS = 1_000;

  private final List<Supplier<CompletionStage<?>>> questions;
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

  private WarmUp(List<Supplier<CompletionStage<?>>> questions) {
    this.questions = questions;
  }

  /**
   * Asks that store, one question after the other, until all are answered, one fails, or the time
   * is over; the first waits for the connection. Never fails: a store that cannot be warmed up is
   * still a store.
   */
  static void of(AsyncLimitStore store, Duration atMost) {
    WarmUp warmUp = new WarmUp(questions(store));
    warmUp.ask(0);
    warmUp.await(atMost);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The end tells all.
  private void ask(int index) {
    if (index == questions.size()) {
      end.complete(null);
    }
    if (end.isDone()) {
      return;
    }
    questions
        .get(index)
        .get()
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                ask(index + 1);
              } else {
                end.complete(null);
              }
            });
  }

  private void await(Duration atMost) {
    try {
      end.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException unfinished) {
      // Then the first requests are as slow as they are.
    }
    end.cancel(false);
  }

  private static List<Supplier<CompletionStage<?>>> questions(AsyncLimitStore store) {
    String key = "comporta:warm-up:{" + UUID.randomUUID() + "}";
    KeyedLimit bucket =
        new KeyedLimit(key + ":tb", new TokenBucket(PERMITS, WINDOW_MICROS, PERMITS));
    KeyedLimit window =
        new KeyedLimit(key + ":sw", new SlidingWindowCounter(PERMITS, WINDOW_MICROS));
    KeyedLimit log = new KeyedLimit(key + ":sl", new SlidingWindowLog(PERMITS, WINDOW_MICROS));
    KeyedLimit fixed =
        new KeyedLimit(key + ":fw", new FixedWindow(PERMITS, new SpanWindow(Duration.ofMillis(1))));
    List<Supplier<CompletionStage<?>>> round =
        List.of(
            () -> store.decideAsync(List.of(bucket), 1),
            () -> store.decideAsync(List.of(window), 1),
            () -> store.decideAsync(List.of(bucket, window), 1),
            () -> store.decideAsync(List.of(log), 1),
            () -> store.decideAsync(List.of(fixed), 1),
            () -> store.peekAsync(List.of(bucket, window)));
    return IntStream.range(0, ROUNDS).boxed().flatMap(i -> round.stream()).toList();
  }
}
