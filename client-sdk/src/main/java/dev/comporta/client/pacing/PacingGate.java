package dev.comporta.client.pacing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Holds the threads whose requests go to one bucket until its {@link Pacer} lets them leave, one
 * after the other in the order of coming; a request that was refused before goes first. Nothing is
 * reserved for a thread that waits, so one that is interrupted leaves nothing behind. Thread-safe;
 * no thread sleeps with the lock.
 */
final class PacingGate {

  /** A wait from here on is told to the listener before it begins. */
  private static final long LONG_WAIT_MICROS = 1_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Condition> queue = new ArrayDeque<>();
  private final Pacer pacer;
  private final Timeline timeline;

  PacingGate(Pacer pacer, Timeline timeline) {
    this.pacer = pacer;
    this.timeline = timeline;
  }

  /**
   * Waits until the request may leave.
   *
   * @param isRetry whether it goes before those that were not refused
   * @param deadlineMicros when the wait ends at the latest, on the timeline
   * @param isHere whether the request still belongs to this bucket; asked again at each wake-up,
   *     with the lock
   * @param onLongWait told once, without a lock, before a wait of a second or more
   * @throws InterruptedException when the thread is interrupted while it waits; nothing has left
   */
  Passage enter(
      boolean isRetry, long deadlineMicros, BooleanSupplier isHere, Consumer<Duration> onLongWait)
      throws InterruptedException {
    lock.lockInterruptibly();
    Condition turn = lock.newCondition();
    try {
      if (isRetry) {
        queue.addFirst(turn);
      } else {
        queue.addLast(turn);
      }
      return pass(turn, deadlineMicros, isHere, onLongWait);
    } finally {
      queue.remove(turn);
      wakeFirst();
      lock.unlock();
    }
  }

  private Passage pass(
      Condition turn, long deadline, BooleanSupplier isHere, Consumer<Duration> onLongWait)
      throws InterruptedException {
    boolean isAnnounced = false;
    while (isHere.getAsBoolean()) {
      long now = timeline.nowMicros();
      boolean isFirst = queue.peekFirst() == turn;
      Permission permission = isFirst ? pacer.acquire(now) : new Permission.Wait(deadline);
      if (permission instanceof Permission.Granted granted) {
        return new Passage.Entered(granted.ticket());
      }
      long until = ((Permission.Wait) permission).untilMicros();
      if (until > deadline || deadline <= now) {
        return new Passage.TooLong(micros(Math.max(until, deadline) - now));
      }
      if (!isAnnounced && isFirst && until - now >= LONG_WAIT_MICROS) {
        isAnnounced = true;
        announce(onLongWait, micros(until - now));
      } else {
        timeline.await(turn, Math.max(1, until - now));
      }
    }
    return new Passage.Moved();
  }

  /** Learns from the answer to a request that this gate let leave. */
  void answered(Ticket ticket, Answer answer) {
    change(() -> pacer.answered(ticket, answer, timeline.nowMicros()));
  }

  /** Forgets a request to which no answer came. */
  void lost(Ticket ticket) {
    change(() -> pacer.lost(ticket));
  }

  /** Requests that left and are not answered yet. */
  int inFlight() {
    lock.lock();
    try {
      return pacer.inFlight();
    } finally {
      lock.unlock();
    }
  }

  /** Makes all that wait here ask whether they still belong here. */
  void recheck() {
    change(() -> queue.forEach(Condition::signal));
  }

  /** Learns from a request that left elsewhere. */
  void observed(long sentMicros, Answer answer) {
    change(() -> pacer.observed(sentMicros, answer, timeline.nowMicros()));
  }

  /** What the bucket is known to have, and how many wait for it. */
  @Override
  public String toString() {
    lock.lock();
    try {
      return pacer + ", " + queue.size() + " waiting";
    } finally {
      lock.unlock();
    }
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      wakeFirst();
    } finally {
      lock.unlock();
    }
  }

  private void announce(Consumer<Duration> onLongWait, Duration delay) {
    lock.unlock();
    try {
      onLongWait.accept(delay);
    } finally {
      lock.lock();
    }
  }

  private void wakeFirst() {
    Condition first = queue.peekFirst();
    if (first != null) {
      first.signal();
    }
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(micros * 1000);
  }
}
