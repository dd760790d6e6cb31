package dev.comporta.client;

import dev.comporta.client.pacing.Timeline;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;

/**
 * The real time; the one class that reads a clock. All its timers are one thread's, which the
 * platform keeps for the whole process and which only hands the tasks to the executor.
 */
final class SystemTimeline implements Timeline {

  private final Executor executor;

  SystemTimeline(Executor executor) {
    this.executor = executor;
  }

  @Override
  public long nowMicros() {
    return System.nanoTime() / 1000;
  }

  @Override
  public Instant wallClock() {
    return Instant.now();
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's: it asks again whatever woke it.
  public void await(Condition condition, long micros) throws InterruptedException {
    boolean isSignalled = condition.await(micros, TimeUnit.MICROSECONDS);
    assert isSignalled || micros > 0;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // What is run tells its own faults.
  public Timer after(long micros, Runnable task, Consumer<Throwable> onRejected) {
    CompletableFuture<Boolean> due = new CompletableFuture<>();
    AtomicBoolean hasBegun = new AtomicBoolean();
    CompletableFuture<Void> run =
        due.thenRunAsync(
            () -> {
              hasBegun.set(true);
              task.run();
            },
            executor);
    // Not in the thread of all timers, nor in one that holds a lock: callers go on from here.
    run.whenCompleteAsync(
        (done, failure) -> {
          if (failure instanceof CompletionException wrapped
              && wrapped.getCause() != null
              && !(wrapped.getCause() instanceof CancellationException)
              && !hasBegun.get()) {
            onRejected.accept(wrapped.getCause());
          }
        },
        ForkJoinPool.commonPool());
    if (micros <= 0) {
      due.complete(true);
    } else {
      due.completeOnTimeout(true, micros, TimeUnit.MICROSECONDS);
    }
    return () -> {
      // The second also stops a task that the executor has and has not begun.
      due.cancel(false);
      run.cancel(false);
    };
  }
}
