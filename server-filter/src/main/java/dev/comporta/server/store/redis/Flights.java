package dev.comporta.server.store.redis;

import dev.comporta.server.store.MonotonicClock;
import dev.comporta.server.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Lets decisions that wait at once travel together: so many calls at a time, and each takes all
 * that wait. A lone decision leaves at once. Thread-safe; asks nobody to wait.
 */
final class Flights implements AutoCloseable {

  /*
   * How this works, and why
   *
   * A call costs both sides far more than a decision: system calls, framing, the start of a script.
   * So while so many calls are under way, what is asked waits for one of them to return, and then
   * leaves as one call. Nothing waits for a timer: with few callers each decision has a call of its
   * own, with many the calls fill up by themselves. 64 threads that ask without a pause need about
   * one call for 30 decisions.
   *
   * Two at a time: with one, Redis would rest while an answer is on its way. With more, calls carry
   * less. A call that returns tells its answers before the next one leaves, since those who were
   * answered may ask again at once.
   *
   * On a cluster a call must stay in one slot, so each slot has calls of its own. Limits that lie in
   * several slots leave at once and alone.
   *
   * Decisions of one call are decided in the order in which they were asked, and each as if it were
   * alone. A call that fails, fails for all that it carries: none of them knows whether it was
   * charged. A call whose end is never told is given up, so that others can leave.
   */

  /** One call returns while another is on its way. */
  static final int AT_A_TIME = 2;

  /** Redis does nothing else meanwhile: these take it about half a millisecond. */
  static final int MOST_ABOARD = 128;

  /** Far more than a server has threads; whoever waits longer than its budget has gone anyway. */
  static final int MOST_WAITING = 16_384;

  /** Redisson tells the end of a call within a second, whatever happens to it. */
  static final long LOST_AFTER_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int ONLY_LANE = 0;

  private final Carrier carrier;
  private final int most;
  private final MonotonicClock clock;
  private final ConcurrentHashMap<Integer, Lane> lanes = new ConcurrentHashMap<>();
  private volatile boolean isClosed;

  /** Sends a call. */
  interface Carrier {

    /**
     * Sends these in one call and answers each; those that nobody waits for any more need not be
     * sent.
     *
     * @return ends when each has its answer, or has failed; must neither throw nor fail
     */
    CompletionStage<?> carry(List<Question> aboard);
  }

  /** Tells apart those that departed at once, so it is no record. */
  private static final class Flight {

    private final long departedNanos;

    Flight(long departedNanos) {
      this.departedNanos = departedNanos;
    }
  }

  /**
   * So many flights at a time, for each slot.
   *
   * @param most at least 1
   */
  Flights(Carrier carrier, int most, MonotonicClock clock) {
    this.carrier = carrier;
    this.most = most;
    this.clock = clock;
  }

  /** Lets that decision travel with any other. */
  void add(Question question) {
    lane(ONLY_LANE).add(question);
  }

  /**
   * Lets that decision travel with others of its slot.
   *
   * @param slot empty if its limits lie in several; then it travels alone
   */
  void addOfSlot(OptionalInt slot, Question question) {
    if (slot.isPresent()) {
      lane(slot.getAsInt()).add(question);
    } else {
      addAlone(question);
    }
  }

  /** Lets that decision leave at once and alone. */
  @SuppressWarnings("FutureReturnValueIgnored") // The carrier answers.
  void addAlone(Question question) {
    carrier.carry(List.of(question));
  }

  /** Those who wait get no answer. */
  @Override
  public void close() {
    isClosed = true;
    lanes.values().forEach(Lane::failAll);
  }

  private Lane lane(int number) {
    Lane known = lanes.get(number);
    return known == null ? lanes.computeIfAbsent(number, missing -> new Lane()) : known;
  }

  /** What travels together. */
  private final class Lane {

    private final Deque<Question> waiting = new ArrayDeque<>();
    private final List<Flight> underWay = new ArrayList<>();

    void add(Question question) {
      if (isQueued(question)) {
        fly();
      } else {
        question.fail(new StoreException("too many decisions wait for Redis"));
      }
      if (isClosed) {
        failAll();
      }
    }

    void failAll() {
      List<Question> failed;
      synchronized (this) {
        failed = List.copyOf(waiting);
        waiting.clear();
      }
      failed.forEach(question -> question.fail(new StoreException("the store is closed")));
    }

    private synchronized boolean isQueued(Question question) {
      if (waiting.size() >= MOST_WAITING) {
        waiting.removeIf(Question::isOver);
      }
      return waiting.size() < MOST_WAITING && waiting.add(question);
    }

    /* A loop and not a recursion, where calls fail before they have left. */
    @SuppressWarnings("FutureReturnValueIgnored") // It never fails.
    private void fly() {
      Flight flight = new Flight(clock.nowNanos());
      for (List<Question> aboard = board(flight); !aboard.isEmpty(); aboard = board(flight)) {
        CompletionStage<?> landing = carrier.carry(aboard);
        if (!landing.toCompletableFuture().isDone()) {
          landing.whenComplete((end, failure) -> land(flight));
          return;
        }
        leave(flight);
      }
    }

    private void land(Flight flight) {
      leave(flight);
      fly();
    }

    private synchronized void leave(Flight flight) {
      underWay.removeIf(other -> other == flight);
    }

    private synchronized List<Question> board(Flight flight) {
      underWay.removeIf(other -> flight.departedNanos - other.departedNanos > LOST_AFTER_NANOS);
      List<Question> aboard = new ArrayList<>();
      while (underWay.size() < most && aboard.size() < MOST_ABOARD && !waiting.isEmpty()) {
        Question next = waiting.remove();
        if (!next.isOver()) {
          aboard.add(next);
        }
      }
      if (!aboard.isEmpty()) {
        underWay.add(flight);
      }
      return aboard;
    }
  }
}
