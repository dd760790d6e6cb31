package dev.comporta.client.pacing;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.comporta.client.header.RateLimitSnapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The gates of all buckets that a client has met, and which routes lead to which. A server tells
 * the bucket of a request in the answer only, so a route that was never answered is taken for one
 * of the nearest path above it that was. Bounded, and forgets what is not used. Thread-safe.
 */
public final class Buckets {

  private static final long MOST_BUCKETS = 1_000;
  private static final long MOST_ROUTES = 10_000;
  private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

  /** Paths deeper than this are not told apart by their depth. */
  private static final int DEEPEST_PATH = 12;

  private final Timeline timeline;
  private final RandomGenerator random;
  private final Cache<Key, PacingGate> gates;
  private final Cache<Route, Bucket> routes;

  /** Which bucket of an origin and a credential. */
  private sealed interface Bucket {

    /** The answers name it. */
    record Named(String name) implements Bucket {}

    /** No answer has come. */
    record Unknown() implements Bucket {}

    /** The answers tell no limit. */
    record Unlimited() implements Bucket {}
  }

  private record Key(String origin, String credential, Bucket bucket) {}

  /** The gate that a request has to pass, and the bucket that it was taken for. */
  public static final class Entrance {

    private final Key key;
    private final PacingGate gate;

    private Entrance(Key key, PacingGate gate) {
      this.key = key;
      this.gate = gate;
    }

    /** The gate to pass. */
    public PacingGate gate() {
      return gate;
    }
  }

  public Buckets(Timeline timeline, RandomGenerator random) {
    this.timeline = timeline;
    this.random = random;
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

  /** The gate that a request on that route has to pass. */
  public Entrance entrance(Route route) {
    return at(key(route, bucket(route)));
  }

  /** Takes the answer to a request that has passed an entrance. */
  public void answered(Route route, Entrance entrance, Ticket ticket, Answer answer) {
    RateLimitSnapshot snapshot = answer.snapshot();
    if (snapshot.bucket().isEmpty()) {
      entrance.gate.answered(ticket, answer);
      if (entrance.key.bucket() instanceof Bucket.Unknown && !answer.isRefused()) {
        routes.put(route, new Bucket.Unlimited());
      }
      return;
    }
    Bucket named = new Bucket.Named(snapshot.bucket().get());
    Key told = key(route, named);
    if (entrance.key.bucket() instanceof Bucket.Unknown
        && gates.asMap().putIfAbsent(told, entrance.gate) == null) {
      gates.asMap().remove(entrance.key, entrance.gate);
    }
    learn(route, named);
    PacingGate right = at(told).gate;
    if (right == entrance.gate) {
      right.answered(ticket, answer);
    } else {
      right.observed(ticket.sentMicros(), answer);
      entrance.gate.answered(ticket, new Answer(RateLimitSnapshot.NOTHING, false));
    }
  }

  /** Takes the answer to a request that was not paced. */
  public void observed(Route route, long sentMicros, Answer answer) {
    Optional<String> name = answer.snapshot().bucket();
    name.ifPresent(
        bucket -> {
          Bucket named = new Bucket.Named(bucket);
          learn(route, named);
          at(key(route, named)).gate.observed(sentMicros, answer);
        });
  }

  private Entrance at(Key key) {
    return new Entrance(key, gates.get(key, k -> new PacingGate(new Pacer(random), timeline)));
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
