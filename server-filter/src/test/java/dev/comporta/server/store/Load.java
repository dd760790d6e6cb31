package dev.comporta.server.store;

import dev.comporta.server.store.redis.RedisServerProcess;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Threads that ask until they are stopped, and keep what they were told. */
final class Load implements AutoCloseable {

  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private final Queue<Verdict> verdicts = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isStopped = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();

  private Load() {}

  static Load of(int count, Supplier<Verdict> question) {
    Load load = new Load();
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(() -> load.ask(question));
      load.threads.add(thread);
      thread.start();
    }
    return load;
  }

  /** Waits for that many more answers. */
  void awaitMore(int answers) {
    int before = verdicts.size();
    RedisServerProcess.await(
        answers + " more answers", () -> verdicts.size() + failures.size() >= before + answers);
  }

  void stop() {
    isStopped.set(true);
    RedisServerProcess.await(
        "the load has ended", () -> threads.stream().noneMatch(Thread::isAlive));
  }

  Queue<Verdict> verdicts() {
    return verdicts;
  }

  Queue<Throwable> failures() {
    return failures;
  }

  /** For the reader of the log; no test relies on them. */
  String figures() {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    return sorted.length
        + " decisions, p50 "
        + sorted[sorted.length / 2] / 1_000
        + " µs, p99 "
        + sorted[(int) (sorted.length * 0.99)] / 1_000
        + " µs, max "
        + sorted[sorted.length - 1] / 1_000
        + " µs";
  }

  @Override
  public void close() {
    stop();
  }

  private void ask(Supplier<Verdict> question) {
    while (!isStopped.get()) {
      long start = System.nanoTime();
      try {
        verdicts.add(question.get());
      } catch (RuntimeException | Error failed) {
        failures.add(failed);
      }
      nanos.add(System.nanoTime() - start);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
