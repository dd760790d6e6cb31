package dev.comporta.client.pacing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;

/**
 * A time that a test moves by hand. A wait of a thread in it ends by a signal alone, so that
 * nothing depends on how fast a machine is; each wait that begins is counted. All timers are run by
 * one thread.
 */
public final class ManualTimeline implements Timeline {

  private final Semaphore waits = new Semaphore(0);
  private final List<Pending> timers = new ArrayList<>();
  private final ExecutorService runner =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "manual-timeline");
            thread.setDaemon(true);
            return thread;
          });
  private final AtomicLong started = new AtomicLong();
  private long nowMicros = 1_000_000;

  private boolean isRejecting;

  private record Pending(long dueMicros, Runnable task, Consumer<Throwable> onRejected) {}

  @Override
  public synchronized long nowMicros() {
    return nowMicros;
  }

  @Override
  public Instant wallClock() {
    return Instant.EPOCH;
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  public void await(Condition condition, long micros) throws InterruptedException {
    waits.release();
    condition.await();
  }

  @Override
  public synchronized Timer after(long micros, Runnable task, Consumer<Throwable> onRejected) {
    Pending pending = new Pending(nowMicros + micros, task, onRejected);
    timers.add(pending);
    runDue();
    return () -> cancel(pending);
  }

  /** Moves the time; what is due by then runs, soon. */
  public synchronized void advance(long micros) {
    nowMicros += micros;
    runDue();
  }

  /** Takes no task any more, as an executor that was shut down. */
  public synchronized void reject() {
    isRejecting = true;
  }

  /** Timers that are yet to run. */
  public synchronized int pending() {
    return timers.size();
  }

  /** Returns when all that was due has run, and what that has made due. */
  public void settle() throws InterruptedException, ExecutionException {
    long before;
    do {
      before = started.get();
      runner.submit(() -> {}).get();
    } while (started.get() != before);
  }

  /** Returns when that many more waits have begun. */
  void awaitWaits(int count) throws InterruptedException {
    waits.acquire(count);
  }

  private synchronized void cancel(Pending pending) {
    timers.remove(pending);
  }

  private void runDue() {
    for (Iterator<Pending> all = timers.iterator(); all.hasNext(); ) {
      Pending next = all.next();
      if (next.dueMicros() <= nowMicros) {
        all.remove();
        started.incrementAndGet();
        runner.execute(
            isRejecting
                ? () -> next.onRejected().accept(new RejectedExecutionException("shut down"))
                : next.task());
      }
    }
  }
}
