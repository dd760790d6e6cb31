package dev.comporta.client;

import dev.comporta.client.pacing.Timeline;
import io.github.resilience4j.retry.internal.RetryImpl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A time in which every wait is over at once, and is written down. */
final class FakeTimeline implements Timeline {

  static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

  private final AtomicLong nowMicros = new AtomicLong(1_000_000);
  private final List<Duration> retryWaits = new CopyOnWriteArrayList<>();
  private final List<Duration> pacingWaits = new CopyOnWriteArrayList<>();

  private final List<Duration> laterWaits = new CopyOnWriteArrayList<>();

  FakeTimeline() {
    // Resilience4j has one sleeper for all; each test brings its own time.
    RetryImpl.setSleepFunction(
        millis -> {
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          retryWaits.add(Duration.ofMillis(millis));
          advance(Duration.ofMillis(millis));
        });
  }

  @Override
  public long nowMicros() {
    return nowMicros.get();
  }

  @Override
  public Instant wallClock() {
    return START.plusNanos((nowMicros.get() - 1_000_000) * 1000);
  }

  @Override
  public void await(Condition condition, long micros) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    pacingWaits.add(Duration.ofNanos(micros * 1000));
    nowMicros.addAndGet(micros);
  }

  @Override
  public Timer after(long micros, Runnable task, Consumer<Throwable> onRejected) {
    AtomicBoolean isOff = new AtomicBoolean();
    ForkJoinPool.commonPool()
        .execute(
            () -> {
              if (!isOff.get()) {
                if (micros > 0) {
                  laterWaits.add(Duration.ofNanos(micros * 1000));
                  nowMicros.addAndGet(micros);
                }
                task.run();
              }
            });
    return () -> isOff.set(true);
  }

  void advance(Duration span) {
    nowMicros.addAndGet(span.toNanos() / 1000);
  }

  List<Duration> retryWaits() {
    return retryWaits;
  }

  /** All that was waited before requests, in sum. */
  Duration paced() {
    return pacingWaits.stream().reduce(Duration.ZERO, Duration::plus);
  }

  /** All that was waited, in sum: before requests and retries, in a thread or without. */
  Duration waited() {
    return Stream.of(retryWaits, pacingWaits, laterWaits)
        .flatMap(List::stream)
        .reduce(Duration.ZERO, Duration::plus);
  }
}
