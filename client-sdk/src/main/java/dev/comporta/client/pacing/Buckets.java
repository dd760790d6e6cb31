package dev.comporta.client.pacing;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.pacing.PacingGate.Wish;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The gates of all buckets that a client has met, and which routes lead to which. A server tells
 * the bucket of a request in the answer only, so a route that was never answered is taken for one
 * of the nearest path above it that was. Bounded, and forgets what is not used. Thread-safe.
 */
public final class Buckets {

  private static final long MOST_BUCKETS = 10_000;
  private static final long MOST_ROUTES = 10_000;
  private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

  /** Requests that wait for one bucket, if nothing else is said. */
  public static final int MOST_WAITING = 10_000;

  /** Paths deeper than this are not told apart by their depth. */
  private static final int DEEPEST_PATH = 12;

  private final Timeline timeline;
  private final RandomGenerator random;
  private final Pacing pacing;
  private final int mostWaiting;
  private final Cache<Key, PacingGate> gates;
  private final Cache<Route, Bucket> routes;

  /** Which bucket of an origin and a credential. */
  sealed interface Bucket {

    /** The answers name it. */
    record Named(String name) implements Bucket {}

    /** No answer has come. */
    record Unknown() implements Bucket {}

    /** The answers tell no limit. */
    record Unlimited() implements Bucket {}
  }

  record Key(String origin, String credential, Bucket bucket) {}

  /** The gate that a request has to pass, and the bucket that it was taken for. */
  record Entrance(Key key, PacingGate gate) {}

  /** Knows nothing yet, and is eager. The generator must be thread-safe. */
  public Buckets(Timeline timeline, RandomGenerator random) {
    this(timeline, random, Pacing.EAGER, MOST_WAITING);
  }

  /** The same, paced in that way; no more than that wait for one bucket. */
  public Buckets(Timeline timeline, RandomGenerator random, Pacing pacing, int mostWaiting) {
    this.mostWaiting = mostWaiting;
    this.timeline = timeline;
    this.random = random;
    this.pacing = pacing;
    this.gates =
        Caffeine.newBuilder()
            .maximumSize(MOST_BUCKETS)
            .expireAfterAccess(FORGOTTEN_AFTER)
            .ticker(() -> timeline.nowMicros() * 1000)
            .build();
    this.routes =
        Caffeine.newBuilder()
            .maximumSize(MOST_ROUTES)
            .expireAfterAccess(FORGOTTEN_AFTER)
            .ticker(() -> timeline.nowMicros() * 1000)
            .build();
  }

  /**
   * Waits until a request may leave.
   *
   * @param isRetry whether it goes before those that were not refused
   * @param maxWait the longest wait, 0 or more
   * @param onLongWait told, without a lock, before a wait of a second or more
   * @throws InterruptedException when the thread is interrupted while it waits; nothing has left
   */
  public Departure enter(
      Route route, boolean isRetry, Duration maxWait, Consumer<Duration> onLongWait)
      throws InterruptedException {
    long deadline = deadline(maxWait);
    while (true) {
      Entrance entrance = at(key(route, bucket(route)));
      Passage passage = entrance.gate.enter(wish(route, entrance, isRetry, deadline, onLongWait));
      Optional<Departure> departure = departure(route, entrance, passage);
      if (departure.isPresent()) {
        return departure.get();
      }
    }
  }

  /**
   * Waits without a thread until a request may leave. Cancelling the departure ends the wait at
   * once, and nothing has left.
   *
   * @param isRetry whether it goes before those that were not refused
   * @param maxWait the longest wait, 0 or more
   * @param onLongWait told, without a lock and in any thread, before a wait of a second or more
   */
  public CompletableFuture<Departure> enterLater(
      Route route, boolean isRetry, Duration maxWait, Consumer<Duration> onLongWait) {
    CompletableFuture<Departure> departure = new CompletableFuture<>();
    long deadline = deadline(maxWait);
    enterLater(route, entrance -> wish(route, entrance, isRetry, deadline, onLongWait), departure);
    return departure;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The departure tells all.
  private void enterLater(
      Route route, Function<Entrance, Wish> wish, CompletableFuture<Departure> departure) {
    Entrance entrance = at(key(route, bucket(route)));
    CompletableFuture<Passage> passage = entrance.gate.enterLater(wish.apply(entrance));
    departure.whenComplete((whatever, failure) -> passage.cancel(false));
    passage.whenComplete(
        (passed, failure) -> {
          if (failure != null) {
            departure.completeExceptionally(failure);
            return;
          }
          Optional<Departure> made = departure(route, entrance, passed);
          if (made.isEmpty()) {
            enterLater(route, wish, departure);
          } else if (!departure.complete(made.get()) && made.get() instanceof Departure.Left left) {
            lost(left);
          }
        });
  }

  private long deadline(Duration maxWait) {
    return timeline.nowMicros() + maxWait.toNanos() / 1000;
  }

  private Wish wish(
      Route route,
      Entrance entrance,
      boolean isRetry,
      long deadline,
      Consumer<Duration> onLongWait) {
    return new Wish(isRetry, deadline, () -> isStillFor(route, entrance), onLongWait);
  }

  /** Empty when the request is to ask elsewhere. */
  private static Optional<Departure> departure(Route route, Entrance entrance, Passage passage) {
    if (passage instanceof Passage.Entered entered) {
      return Optional.of(new Departure.Left(route, entrance, entered.ticket()));
    }
    Optional<String> bucket =
        entrance.key.bucket instanceof Bucket.Named named
            ? Optional.of(named.name())
            : Optional.empty();
    if (passage instanceof Passage.TooLong tooLong) {
      return Optional.of(new Departure.TooLong(tooLong.delay(), bucket));
    }
    if (passage instanceof Passage.Crowded crowded) {
      return Optional.of(new Departure.Crowded(crowded.waiting(), crowded.delay(), bucket));
    }
    return Optional.empty();
  }

  /** Takes the answer to a request that has left. */
  public void answered(Departure.Left left, Answer answer) {
    Route route = left.route();
    PacingGate gate = left.entrance().gate;
    boolean isFirstAnswer = left.entrance().key.bucket instanceof Bucket.Unknown;
    Optional<String> name = answer.snapshot().bucket();
    if (name.isEmpty()) {
      gate.answered(left.ticket(), answer);
      if (isFirstAnswer && !answer.isRefused()) {
        routes.put(route, new Bucket.Unlimited());
      }
      return;
    }
    Key told = key(route, new Bucket.Named(name.get()));
    if (isFirstAnswer && gates.asMap().putIfAbsent(told, gate) == null) {
      gates.asMap().remove(left.entrance().key, gate);
    }
    PacingGate right = lead(route, told);
    if (right == gate) {
      right.answered(left.ticket(), answer);
    } else {
      right.observed(left.ticket().sentMicros(), answer);
      gate.answered(left.ticket(), new Answer(RateLimitSnapshot.NOTHING, false));
      gate.recheck();
    }
  }

  /** Forgets a request that left and to which no answer came. */
  public void lost(Departure.Left left) {
    left.entrance().gate.lost(left.ticket());
  }

  /** Takes the answer to a request that was not paced. */
  public void observed(Route route, long sentMicros, Answer answer) {
    Optional<String> name = answer.snapshot().bucket();
    name.ifPresent(
        bucket -> lead(route, key(route, new Bucket.Named(bucket))).observed(sentMicros, answer));
  }

  /** Keeps that requests on the route go to that bucket, and sends there those that wait. */
  private PacingGate lead(Route route, Key told) {
    PacingGate before = gates.getIfPresent(key(route, bucket(route)));
    learn(route, told.bucket);
    PacingGate right = at(told).gate;
    if (before != null && before != right) {
      before.recheck();
    }
    return right;
  }

  /**
   * Whether a request that waits is still right where it waits. It stays when its bucket was
   * guessed from that of another path and the guess would be another one now; and at a gate that
   * was forgotten, for that still knows its limits.
   */
  private boolean isStillFor(Route route, Entrance entrance) {
    Bucket exact = routes.getIfPresent(route);
    Bucket bucket = entrance.key.bucket;
    if (exact != null) {
      bucket = exact;
    } else if (bucket instanceof Bucket.Unknown) {
      bucket = bucket(route);
    }
    PacingGate right = gates.getIfPresent(key(route, bucket));
    return right == null || right == entrance.gate;
  }

  /** Makes all that wait ask anew. */
  void recheckAll() {
    gates.asMap().values().forEach(PacingGate::recheck);
  }

  /** How many buckets are kept. */
  long size() {
    gates.cleanUp();
    return gates.estimatedSize();
  }

  private Entrance at(Key key) {
    return new Entrance(
        key, gates.get(key, k -> new PacingGate(new Pacer(random, pacing), timeline, mostWaiting)));
  }

  private Bucket bucket(Route route) {
    Optional<Route> at = Optional.of(route);
    while (at.isPresent()) {
      Bucket known = routes.getIfPresent(at.get());
      if (known != null) {
        return known;
      }
      at = at.get().parent();
    }
    return new Bucket.Unknown();
  }

  private void learn(Route route, Bucket bucket) {
    Optional<Route> at = Optional.of(route);
    for (int depth = 0; at.isPresent() && depth < DEEPEST_PATH; depth++) {
      if (!bucket.equals(routes.getIfPresent(at.get()))) {
        routes.put(at.get(), bucket);
      }
      at = at.get().parent();
    }
    routes.put(new Route(route.origin(), route.credential(), route.method(), ""), bucket);
  }

  private static Key key(Route route, Bucket bucket) {
    return new Key(route.origin(), route.credential(), bucket);
  }
}
