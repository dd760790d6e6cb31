package dev.comporta.client;

import dev.comporta.client.pacing.Timeline;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;

/** Another time, in which a test says when what is due later is due. */
final class UnhurriedTimeline implements Timeline {

  private final Timeline time;
  private final List<Runnable> pending = new CopyOnWriteArrayList<>();

  UnhurriedTimeline(Timeline time) {
    this.time = time;
  }

  @Override
  public long nowMicros() {
    return time.nowMicros();
  }

  @Override
  public Instant wallClock() {
    return time.wallClock();
  }

  @Override
  public void await(Condition condition, long micros) throws InterruptedException {
    time.await(condition, micros);
  }

  @Override
  public Timer after(long micros, Runnable task, Consumer<Throwable> onRejected) {
    pending.add(task);
    return () -> pending.remove(task);
  }

  int pending() {
    return pending.size();
  }

  /** All that is pending is due. */
  void runPending() {
    pending.forEach(Runnable::run);
    pending.clear();
  }
}
