package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.MonotonicClock;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The leases of this node: one at a time for each caller, and a fixed number of callers, however
 * many there are. Thread-safe; asks nobody to wait.
 */
final class Leases {

  /*
   * How this works, and why
   *
   * A decision that no lease answers makes a trip. If its caller has asked within the last lifetime,
   * it asks for the same some times more, and what that admits is a lease: so a caller who comes once
   * debits nothing that he does not use. While a lease is under way, others make trips of their own.
   *
   * A lease may be used for a twentieth of the shortest window, a second at most, counted from the
   * instant at which it was asked for. So permits that Redis debited in some span are used in that
   * span or less than a lifetime after it. At any instant a node holds less than one lease of a
   * caller: that much more than its limit, for each node, may a caller get into one window; and that
   * much may be withheld from it, if it goes on to another node.
   *
   * What is left at the end is given back: before the caller's next trip, and otherwise by whoever
   * comes, every 20 ms at most. A late lease that nobody waits for any more is given back at once.
   *
   * What changes usage otherwise ends the leases that it concerns, seen by counts as with refusals.
   * To a limit that was reset nothing is given back: what was debited is forgotten, and what is there
   * now was used by others. The other limits of the lease get theirs.
   *
   * A caller has its place by the hash of its keys. A place that holds a lease is left to its
   * caller until that is over; another caller with the same place takes none meanwhile.
   */

  /** Far below a window, so that what is withheld or shifted matters to nobody. */
  private static final int PART_OF_WINDOW = 20;

  /** Far longer than a trip, so that longer leases would save little more. */
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Looking at all places takes a fraction of a thousandth of that. */
  static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Each is a call, and whoever looks sends them. */
  private static final int MOST_A_LOOK = 128;

  private static final String TAG_OF_EVERYONE = "{" + KeyedLimit.EVERYONE + "}";
  private static final CompletionStage<?> NOW = CompletableFuture.completedFuture(null);

  private final MonotonicClock clock;
  private final Returns returns;
  private final AtomicReferenceArray<@Nullable Place> places =
      new AtomicReferenceArray<>(ChangeCounts.PLACES);
  private final ChangeCounts changes = new ChangeCounts();
  private final ChangeCounts resets = new ChangeCounts();
  private final MovedLimits moved = new MovedLimits();
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicLong nextLookNanos;
  private final AtomicInteger nextPlace = new AtomicInteger();
  private volatile boolean isClosed;

  /** Gives permits back. */
  interface Returns {

    /** Those that were charged at that instant; ends when Redis has them back, or has failed. */
    CompletionStage<?> giveBack(List<KeyedLimit> limits, long permits, long chargedAtMicros);
  }

  /**
   * What becomes of a decision that nothing has answered so far.
   *
   * @param known its answer, if a lease has come meanwhile
   * @param order what it asks for beyond its own answer
   * @param ready when it may leave
   */
  record Way(Optional<Verdict> known, Optional<Order> order, CompletionStage<?> ready) {}

  /** A lease, and how often its limits had been changed and reset when it was asked for. */
  private record Held(Lease lease, int changes, List<Integer> resets) {}

  Leases(MonotonicClock clock, Returns returns) {
    this.clock = clock;
    this.returns = returns;
    this.nextLookNanos = new AtomicLong(clock.nowNanos());
  }

  /**
   * For how long a lease of these limits may be used; 0 if they have none: of a log Redis tells
   * some entries, from which nobody can tell the next answers.
   */
  static long lifetimeNanos(List<KeyedLimit> limits) {
    long nanos = LONGEST_NANOS;
    for (KeyedLimit limit : limits) {
      RateAlgorithm algorithm = limit.limit();
      if (algorithm.kind() == Algorithm.SLIDING_WINDOW_LOG) {
        return 0;
      }
      long part = TimeUnit.MICROSECONDS.toNanos(algorithm.windowMicros()) / PART_OF_WINDOW;
      nanos = Math.min(nanos, part);
    }
    return nanos;
  }

  /** The answer by a lease, if the caller has one of so much. */
  Optional<Verdict> take(List<KeyedLimit> limits, long cost) {
    Place place = places.get(place(limits));
    return place == null ? Optional.empty() : place.take(limits, cost);
  }

  /**
   * The way of a decision that {@link #take} has not answered.
   *
   * @param most permits per trip, its own cost included
   */
  Way way(List<KeyedLimit> limits, long cost, long most) {
    moved.learn(limits);
    int number = place(limits);
    Place place = places.get(number);
    if (place == null) {
      places.compareAndSet(number, null, new Place());
      place = Objects.requireNonNull(places.get(number), "a place never goes");
    }
    return place.way(limits, cost, most);
  }

  /** Usage of these limits is changed by more than a decision: before it, and after it. */
  void changed(List<KeyedLimit> limits) {
    for (KeyedLimit limit : limits) {
      // Else the leases of all callers would end.
      if (!limit.key().contains(TAG_OF_EVERYONE)) {
        changes.note(limit);
      }
    }
  }

  /** Usage of these limits is forgotten: before it, and after it. */
  void forgotten(List<KeyedLimit> limits) {
    resets.note(limits);
    changes.note(limits);
  }

  /** Gives back what is left of leases that are over, if nobody has looked for a while. */
  void giveBackOverdue() {
    if (held.get() == 0) {
      return;
    }
    long nowNanos = clock.nowNanos();
    long next = nextLookNanos.get();
    if (nowNanos - next < 0 || !nextLookNanos.compareAndSet(next, nowNanos + LOOK_EVERY_NANOS)) {
      return;
    }
    int first = nextPlace.get();
    int ended = 0;
    for (int i = 0; i < ChangeCounts.PLACES && ended < MOST_A_LOOK; i++) {
      int number = (first + i) % ChangeCounts.PLACES;
      nextPlace.set(number);
      Place place = places.get(number);
      if (place != null && place.isOverdue(nowNanos)) {
        place.end();
        ended++;
      }
    }
  }

  /** Gives back what is left of all leases, those on their way too, and takes none any more. */
  CompletionStage<?> close() {
    isClosed = true;
    List<CompletableFuture<?>> ends = new ArrayList<>();
    for (int number = 0; number < ChangeCounts.PLACES; number++) {
      Place place = places.get(number);
      if (place != null) {
        ends.add(place.arrival().toCompletableFuture());
      }
    }
    ends.add(endAll().toCompletableFuture());
    return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
  }

  /** Gives back what is left of all leases. */
  CompletionStage<?> endAll() {
    List<CompletableFuture<?>> ends = new ArrayList<>();
    for (int number = 0; number < ChangeCounts.PLACES; number++) {
      Place place = places.get(number);
      if (place != null) {
        ends.add(place.end().toCompletableFuture());
      }
    }
    return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
  }

  private static int place(List<KeyedLimit> limits) {
    int hash = 0;
    for (KeyedLimit limit : limits) {
      hash = 31 * hash + ChangeCounts.place(limit);
    }
    return hash & (ChangeCounts.PLACES - 1);
  }

  private boolean isStanding(Held some) {
    return changes.of(some.lease().limits()) == some.changes();
  }

  private CompletionStage<?> giveBack(Held ended) {
    Lease lease = ended.lease();
    long left = lease.end();
    List<KeyedLimit> owed = new ArrayList<>(lease.limits());
    List<Integer> resetsNow = resets.ofEach(owed);
    for (int i = owed.size() - 1; i >= 0; i--) {
      if (!resetsNow.get(i).equals(ended.resets().get(i))) {
        owed.remove(i);
      }
    }
    return left == 0 || owed.isEmpty()
        ? NOW
        : returns.giveBack(moved.now(owed), left, lease.atMicros());
  }

  /** A lease that is asked for, of the caller whose place this is. */
  final class Order {

    private final Place place;
    private final List<KeyedLimit> limits;
    private final int times;
    private final long lifetimeNanos;
    private final long askedNanos;
    private final int changesBefore;
    private final List<Integer> resetsBefore;
    private final CompletableFuture<?> settled = new CompletableFuture<>();

    private Order(Place place, List<KeyedLimit> limits, int times, long askedNanos) {
      this.place = place;
      this.limits = limits;
      this.times = times;
      this.lifetimeNanos = lifetimeNanos(limits);
      this.askedNanos = askedNanos;
      this.changesBefore = changes.of(limits);
      this.resetsBefore = resets.ofEach(limits);
    }

    /** How often the question is asked for it, beyond that of the caller. */
    int times() {
      return times;
    }

    /** That was debited, perhaps nothing. */
    @SuppressWarnings("FutureReturnValueIgnored") // Whoever gives back tells how that ended.
    void arrived(Lease.Debit debit) {
      if (debit.permits() == 0) {
        place.close(this);
        settled.complete(null);
        return;
      }
      Lease lease = new Lease(limits, debit, lifetimeNanos);
      Held arrived = new Held(lease, changesBefore, resetsBefore);
      CompletionStage<?> back = place.keep(this, arrived) ? NOW : giveBack(arrived);
      back.whenComplete((done, failure) -> settled.complete(null));
    }

    /** No answer comes. Perhaps it was debited, so the next one is ordered no earlier than ever. */
    void failed() {
      settled.complete(null);
    }

    private boolean isOver(long nowNanos) {
      return nowNanos - askedNanos >= lifetimeNanos;
    }
  }

  /** Where one caller at a time has a lease, or asks for one. */
  private final class Place {

    private volatile @Nullable Held present; // written under the lock of this
    private volatile long askedNanos;
    private List<KeyedLimit> asker = List.of(); // guarded by this, as the next one
    private @Nullable Order order;

    Optional<Verdict> take(List<KeyedLimit> limits, long cost) {
      Held known = present;
      if (known == null || !known.lease().limits().equals(limits) || !isStanding(known)) {
        return Optional.empty();
      }
      long nowNanos = clock.nowNanos();
      Optional<Verdict> verdict = known.lease().take(cost, nowNanos);
      if (verdict.isPresent()) {
        askedNanos = nowNanos;
      }
      return verdict;
    }

    Way way(List<KeyedLimit> limits, long cost, long most) {
      Held ended;
      Optional<Order> ordered;
      synchronized (this) {
        Optional<Verdict> known = take(limits, cost);
        long nowNanos = clock.nowNanos();
        if (known.isPresent() || isOthers(limits, nowNanos)) {
          return new Way(known, Optional.empty(), NOW);
        }
        ended = removed();
        ordered = ordered(limits, cost, most, nowNanos);
      }
      if (ended == null) {
        return new Way(Optional.empty(), ordered, NOW);
      }
      CompletionStage<?> back = giveBack(ended);
      boolean isOwn = ended.lease().limits().equals(limits);
      return new Way(Optional.empty(), ordered, isOwn ? back : NOW);
    }

    /** Whether another caller has a lease here, or has asked for one. */
    private boolean isOthers(List<KeyedLimit> limits, long nowNanos) {
      Held known = present;
      Order asked = order;
      boolean isHeld =
          known != null && !known.lease().limits().equals(limits) && isInUse(known, nowNanos);
      boolean isOrdered = asked != null && !asked.limits.equals(limits) && !asked.isOver(nowNanos);
      return isHeld || isOrdered;
    }

    private boolean isInUse(Held some, long nowNanos) {
      return some.lease().left() > 0 && !some.lease().isOver(nowNanos) && isStanding(some);
    }

    private Optional<Order> ordered(List<KeyedLimit> limits, long cost, long most, long nowNanos) {
      long lifetimeNanos = lifetimeNanos(limits);
      boolean isBack = asker.equals(limits) && nowNanos - askedNanos < lifetimeNanos;
      asker = limits;
      askedNanos = nowNanos;
      Order underWay = order;
      long times = most / cost - 1;
      if (!isBack || times < 1 || isClosed) {
        return Optional.empty();
      }
      if (underWay != null && !underWay.isOver(nowNanos)) {
        return Optional.empty();
      }
      Order fresh = new Order(this, limits, Math.toIntExact(times), nowNanos);
      order = fresh;
      return Optional.of(fresh);
    }

    synchronized boolean keep(Order arrived, Held some) {
      boolean isAwaited = order == arrived && !isClosed;
      close(arrived);
      if (!isAwaited || some.lease().isOver(clock.nowNanos()) || !isStanding(some)) {
        return false;
      }
      present = some;
      held.incrementAndGet();
      return true;
    }

    /** When the lease that is on its way has come, and is kept or has been given back. */
    synchronized CompletionStage<?> arrival() {
      Order awaited = order;
      return awaited == null || awaited.isOver(clock.nowNanos()) ? NOW : awaited.settled;
    }

    synchronized void close(Order arrived) {
      order = order == arrived ? null : order;
    }

    boolean isOverdue(long nowNanos) {
      Held known = present;
      return known != null && (known.lease().isOver(nowNanos) || !isStanding(known));
    }

    CompletionStage<?> end() {
      Held ended = removed();
      return ended == null ? NOW : giveBack(ended);
    }

    private synchronized @Nullable Held removed() {
      Held ended = present;
      if (ended != null) {
        present = null;
        held.decrementAndGet();
      }
      return ended;
    }
  }
}
