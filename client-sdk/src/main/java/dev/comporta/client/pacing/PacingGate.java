package dev.comporta.client.pacing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Holds the requests that go to one bucket until its {@link Pacer} lets them leave, one after the
 * other in the order of coming; a request that was refused before goes first. A request waits in
 * its thread, or without any. Nothing is reserved for one that waits, so one that is given up
 * leaves nothing behind. Thread-safe; no thread sleeps with the lock.
 */
final class PacingGate {

  /** A wait from here on is told to the listener before it begins. */
  private static final long LONG_WAIT_MICROS = 1_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Turn> queue = new ArrayDeque<>();
  private final Pacer pacer;
  private final Timeline timeline;
  private final int mostWaiting;
  private long firstUntil;

  PacingGate(Pacer pacer, Timeline timeline, int mostWaiting) {
    this.pacer = pacer;
    this.timeline = timeline;
    this.mostWaiting = mostWaiting;
  }

  /**
   * A wish to leave.
   *
   * @param isRetry whether it goes before those that were not refused
   * @param deadlineMicros when the wait ends at the latest, on the timeline
   * @param isHere whether the request still belongs to this bucket; asked again at each wake-up,
   *     with the lock
   * @param onLongWait told once, without a lock, before a wait of a second or more
   */
  record Wish(
      boolean isRetry,
      long deadlineMicros,
      BooleanSupplier isHere,
      Consumer<Duration> onLongWait) {}

  /** A place in the queue. All with the lock. */
  private abstract static class Turn {

    private final Wish wish;
    private boolean isAnnounced;

    Turn(Wish wish) {
      this.wish = wish;
    }

    /** Makes it ask again, soon. */
    abstract void wake();
  }

  /** What a turn that asks is told. */
  private sealed interface Step {

    /** It leaves the queue. */
    record Over(Passage passage) implements Step {}

    /** It stays; the listener is told first, where that is said. */
    record Stay(long micros, boolean isToBeAnnounced) implements Step {}
  }

  /**
   * Waits in this thread until the request may leave.
   *
   * @throws InterruptedException when the thread is interrupted while it waits; nothing has left
   */
  Passage enter(Wish wish) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Condition woken = lock.newCondition();
      Turn turn =
          new Turn(wish) {
            @Override
            void wake() {
              woken.signal();
            }
          };
      Optional<Passage> crowded = join(turn);
      return crowded.isPresent() ? crowded.get() : pass(turn, woken);
    } finally {
      lock.unlock();
    }
  }

  private Passage pass(Turn turn, Condition woken) throws InterruptedException {
    try {
      while (true) {
        Step step = ask(turn);
        if (step instanceof Step.Over over) {
          return over.passage();
        }
        Step.Stay stay = (Step.Stay) step;
        if (stay.isToBeAnnounced()) {
          announce(turn, stay);
        } else {
          timeline.await(woken, stay.micros());
        }
      }
    } finally {
      leave(turn);
    }
  }

  /**
   * Waits without a thread until the request may leave. Cancelling the passage ends the wait at
   * once.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // Giving up never fails.
  CompletableFuture<Passage> enterLater(Wish wish) {
    LaterTurn turn = new LaterTurn(wish);
    lock.lock();
    try {
      Optional<Passage> crowded = join(turn);
      if (crowded.isPresent()) {
        return CompletableFuture.completedFuture(crowded.get());
      }
    } finally {
      lock.unlock();
    }
    turn.passage.whenComplete((passage, failure) -> turn.giveUp());
    turn.step();
    return turn.passage;
  }

  private final class LaterTurn extends Turn {

    private final CompletableFuture<Passage> passage = new CompletableFuture<>();
    private Timeline.Timer timer = () -> {};

    LaterTurn(Wish wish) {
      super(wish);
    }

    @Override
    void wake() {
      askAfter(0);
    }

    private void askAfter(long micros) {
      timer.cancel();
      timer = timeline.after(micros, this::step, passage::completeExceptionally);
    }

    /** Asks, and asks again until it is over; in any thread, without the lock. */
    private void step() {
      Optional<Step> next = asked();
      while (next.isPresent() && next.get() instanceof Step.Stay stay) {
        try {
          // Only what is to be announced comes here to stay.
          onLongWait(stay);
        } catch (RuntimeException | Error thrown) {
          passage.completeExceptionally(thrown);
          return;
        }
        next = asked();
      }
      if (next.isPresent() && next.get() instanceof Step.Over over) {
        boolean isTaken = passage.complete(over.passage());
        if (!isTaken && over.passage() instanceof Passage.Entered entered) {
          lost(entered.ticket());
        }
      }
    }

    private void onLongWait(Step.Stay stay) {
      super.wish.onLongWait().accept(micros(stay.micros()));
    }

    /** What is left to do without the lock; empty when it waits, or has left. */
    private Optional<Step> asked() {
      lock.lock();
      try {
        if (passage.isDone() || !queue.contains(this)) {
          return Optional.empty();
        }
        Step step = ask(this);
        if (step instanceof Step.Stay stay && !stay.isToBeAnnounced()) {
          askAfter(stay.micros());
          return Optional.empty();
        }
        if (step instanceof Step.Over) {
          leave(this);
        }
        return Optional.of(step);
      } finally {
        lock.unlock();
      }
    }

    private void giveUp() {
      lock.lock();
      try {
        timer.cancel();
        if (queue.contains(this)) {
          leave(this);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Takes a place in the queue, unless it is full; a refused request always has one. */
  private Optional<Passage> join(Turn turn) {
    if (turn.wish.isRetry()) {
      queue.addFirst(turn);
    } else if (queue.size() < mostWaiting) {
      queue.addLast(turn);
    } else {
      long delay = Math.max(0, firstUntil - timeline.nowMicros());
      return Optional.of(new Passage.Crowded(queue.size(), micros(delay)));
    }
    return Optional.empty();
  }

  private void leave(Turn turn) {
    queue.remove(turn);
    wakeFirst();
  }

  private Step ask(Turn turn) {
    if (!turn.wish.isHere().getAsBoolean()) {
      return new Step.Over(new Passage.Moved());
    }
    long deadline = turn.wish.deadlineMicros();
    long now = timeline.nowMicros();
    boolean isFirst = queue.peekFirst() == turn;
    Permission permission = isFirst ? pacer.acquire(now) : new Permission.Wait(deadline);
    if (permission instanceof Permission.Granted granted) {
      return new Step.Over(new Passage.Entered(granted.ticket()));
    }
    long until = ((Permission.Wait) permission).untilMicros();
    if (isFirst) {
      firstUntil = until;
    }
    if (until > deadline || deadline <= now) {
      return new Step.Over(new Passage.TooLong(micros(Math.max(until, deadline) - now)));
    }
    boolean isLong = isFirst && until - now >= LONG_WAIT_MICROS;
    boolean isToBeAnnounced = isLong && !turn.isAnnounced;
    turn.isAnnounced |= isLong;
    return new Step.Stay(Math.max(1, until - now), isToBeAnnounced);
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
    change(() -> queue.forEach(Turn::wake));
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

  private void announce(Turn turn, Step.Stay stay) {
    lock.unlock();
    try {
      turn.wish.onLongWait().accept(micros(stay.micros()));
    } finally {
      lock.lock();
    }
  }

  private void wakeFirst() {
    Turn first = queue.peekFirst();
    if (first != null) {
      first.wake();
    }
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(micros * 1000);
  }
}
