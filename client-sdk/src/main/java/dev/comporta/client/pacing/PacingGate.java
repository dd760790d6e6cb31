package dev.comporta.client.pacing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Holds the threads whose requests go to one bucket until its {@link Pacer} lets them leave, one
 * after the other in the order of coming; a request that was refused before goes first. Nothing is
 * reserved for a thread that waits, so one that is interrupted leaves nothing behind. Thread-safe;
 * no thread sleeps with the lock.
 */
public final class PacingGate {

  /** A wait from here on is told to the listener before it begins. */
  private static final long LONG_WAIT_MICROS = 1_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Condition> queue = new ArrayDeque<>();
  private final Pacer pacer;
  private final Timeline timeline;

  public PacingGate(Pacer pacer, Timeline timeline) {
    this.pacer = pacer;
    this.timeline = timeline;
  }

  /**
   * Waits until the request may leave.
   *
   * @param isRetry whether it goes before those that were not refused
   * @param maxWait the longest wait, 0 or more
   * @param onLongWait told once, without a lock, before a wait of a second or more
   * @throws InterruptedException when the thread is interrupted while it waits; nothing has left
   */
  public Passage enter(boolean isRetry, Duration maxWait, Consumer<Duration> onLongWait)
      throws InterruptedException {
    long deadline = timeline.nowMicros() + maxWait.toNanos() / 1000;
    long[] announced = {0};
    lock.lockInterruptibly();
    Condition turn = lock.newCondition();
    try {
      if (isRetry) {
        queue.addFirst(turn);
      } else {
        queue.addLast(turn);
      }
      while (true) {
        long now = timeline.nowMicros();
        Permission permission = queue.peekFirst() == turn ? pacer.acquire(now) : behind(deadline);
        if (permission instanceof Permission.Granted granted) {
          return new Passage.Entered(granted.ticket());
        }
        long until = ((Permission.Wait) permission).untilMicros();
        if (until > deadline || deadline <= now) {
          return new Passage.TooLong(micros(Math.max(until, deadline) - now));
        }
        if (announced[0] == 0 && queue.peekFirst() == turn && until - now >= LONG_WAIT_MICROS) {
          announced[0] = 1;
          announce(onLongWait, micros(until - now));
        } else {
          timeline.await(turn, Math.max(1, until - now));
        }
      }
    } finally {
      queue.remove(turn);
      wakeFirst();
      lock.unlock();
    }
  }

  /** Learns from the answer to a request that this gate let leave. */
  public void answered(Ticket ticket, Answer answer) {
    change(() -> pacer.answered(ticket, answer, timeline.nowMicros()));
  }

  /** Forgets a request to which no answer came. */
  public void lost(Ticket ticket) {
    change(() -> pacer.lost(ticket));
  }

  /** Learns from a request that left elsewhere. */
  public void observed(long sentMicros, Answer answer) {
    change(() -> pacer.observed(sentMicros, answer, timeline.nowMicros()));
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

  private static Permission behind(long deadline) {
    return new Permission.Wait(deadline);
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(micros * 1000);
  }
}
