package dev.comporta.client.pacing;

import dev.comporta.client.header.Counting;
import dev.comporta.client.header.Window;
import java.time.Duration;
import java.util.Optional;

/**
 * What is known of one window of the server: what the newest answer by order of sending told, and
 * what was sent since. Micros, and requests per micro.
 */
final class WindowState {

  private static final double MICROS_PER_SECOND = 1_000_000;
  private static final double LONGEST_SHORT_MICROS = 2_000_000;

  private final long limit;
  private final Optional<Counting> counting;
  private final WindowLength length;
  private SlidingCount own;
  private Refill refill;
  private WindowEdges edges;
  private final Optional<CountedWindows> counted;

  private double remaining;
  private double found;
  private long newest;
  private long newestSent;
  private long newestReceived;
  private double resetMicros;
  private long exhaustedAt = Long.MIN_VALUE / 2;

  WindowState(Window window, long limit) {
    this.limit = limit;
    this.counting = window.counting();
    this.length = new WindowLength(window);
    this.own = new SlidingCount(length.micros());
    this.edges = new WindowEdges(length.micros());
    this.refill = new Refill(limit, length.micros(), edges);
    this.counted =
        isTold(Counting.FIXED_WINDOW) && length.isTold()
            ? Optional.of(new CountedWindows(this))
            : Optional.empty();
  }

  /** Knows what was sent under the limit before, where its window was as long. */
  void goOnFrom(WindowState before) {
    if (before.length.micros() == length.micros()) {
      own = before.own;
    }
  }

  boolean isOf(Window window, long windowLimit) {
    return limit == windowLimit && counting.equals(window.counting()) && length.isOf(window);
  }

  /**
   * Takes what the newest answer by order of sending tells.
   *
   * @return requests of others that the change cannot be explained without, 0 or more
   */
  double take(Ticket ticket, double told, Window window, long now, Traffic traffic) {
    resetMicros = window.resetAfter().map(WindowLength::micros).orElse(0.0);
    if (length.learn(resetMicros)) {
      begin();
    }
    boolean isReset = told >= 1 || isTold(Counting.FIXED_WINDOW);
    if (counting.isPresent() && isReset) {
      edges.told(now + resetMicros, traffic.shortestMicros());
    }
    double span = newest == 0 ? 0 : Math.max(0, ticket.sentMicros() - newestSent);
    double unexplained = refill.take(ticket, told, traffic);
    if (length.doubt(refill.rate(), fullRate(), span)) {
      begin();
    }
    newest = ticket.number();
    newestSent = ticket.sentMicros();
    newestReceived = now;
    remaining = told;
    found = told;
    exhaustedAt = told < 1 ? now : exhaustedAt;
    return unexplained;
  }

  /** Takes what any answer tells, after the newest was taken. */
  void count(Ticket ticket, double told, boolean isRefused, Window window, long now) {
    if (counted.isPresent()) {
      double reset = window.resetAfter().map(WindowLength::micros).orElse(0.0);
      counted.get().take(ticket, told, isRefused, reset, now);
    }
  }

  /** Takes an answer that an answer to a later request has overtaken. */
  void takeLate(double told) {
    if (told < found) {
      // It found less, so it came later: the newest remainder does not count it.
      remaining -= 1;
    }
  }

  void takeRefusal() {
    remaining = Math.min(remaining, 0);
  }

  private void begin() {
    own = new SlidingCount(length.micros());
    edges = new WindowEdges(length.micros());
    refill = new Refill(limit, length.micros(), edges);
  }

  long limit() {
    return limit;
  }

  WindowLength length() {
    return length;
  }

  double windowMicros() {
    return length.micros();
  }

  /** Whether the way of a request is not short beside the window. */
  boolean isShort() {
    return length.micros() < LONGEST_SHORT_MICROS;
  }

  /** The limit as a rate. */
  double fullRate() {
    return Math.max(1, limit) / length.micros();
  }

  /** The rate that the limit may be, where its length is a guess. */
  double fastestRate() {
    return length.mayBeShorter() ? 2 * fullRate() : fullRate();
  }

  SlidingCount own() {
    return own;
  }

  Refill refill() {
    return refill;
  }

  WindowEdges edges() {
    return edges;
  }

  /** What fixed windows have counted, where answers tell that they are. */
  Optional<CountedWindows> counted() {
    return counted;
  }

  boolean isFixed() {
    return counting.map(told -> told == Counting.FIXED_WINDOW).orElseGet(edges::isFixed);
  }

  boolean isWeighted() {
    return isTold(Counting.WEIGHTED_WINDOW) && edges.isKnown();
  }

  boolean isLog() {
    return isTold(Counting.WINDOW_LOG);
  }

  boolean isBucket() {
    return isTold(Counting.TOKEN_BUCKET);
  }

  private boolean isTold(Counting one) {
    return counting.equals(Optional.of(one));
  }

  boolean isCountingTold() {
    return counting.isPresent();
  }

  long newest() {
    return newest;
  }

  long newestSent() {
    return newestSent;
  }

  long newestReceived() {
    return newestReceived;
  }

  double remaining() {
    return remaining;
  }

  /** When an answer last said that nothing is left. */
  long exhaustedAt() {
    return exhaustedAt;
  }

  /** What is left for certain, if only own requests take from it. */
  double certain(Traffic traffic) {
    return remaining - traffic.sentAfter(newest) - traffic.unansweredBefore(newest);
  }

  /** What will be left when a request that leaves now lands, as the quota has behaved lately. */
  double expected(long now, Traffic traffic) {
    double fastest = isFixed() ? 0 : fastestRate();
    double age =
        Math.min((double) (now - newestSent), Math.max(traffic.roundTripMicros(), 2 / fullRate()));
    double back = Math.max(-fullRate(), Math.min(refill.rate(), fastest)) * age;
    return remaining - traffic.sentAfter(newest) + back;
  }

  /** Whether a fixed window has begun of which no answer has told anything. */
  boolean isBehindEdge(long now) {
    return isFixed() && edges.isKnown() && now >= foundUntil();
  }

  /** When the fixed window ends that the newest answer told. */
  double foundUntil() {
    return counting.isPresent()
        ? edges.nearest(newestReceived + resetMicros)
        : edges.after((double) newestSent);
  }

  /** Own requests since the edge of the window, and those that may have landed behind it. */
  double ownSinceEdge(long now, Traffic traffic) {
    return own.since(edges.before((double) now) - traffic.lateMicros());
  }

  /** Whether permits come back by themselves, clearly: a little may be answers that overtook. */
  boolean isRefilling() {
    return refill.rate() > 0.1 * fullRate();
  }

  /**
   * How long nothing is to be expected where nothing refills. With nothing found, the reset tells.
   * With a few found that are spent since, it tells when all are back, the next ones sooner.
   */
  double untilNext() {
    if (found < 1) {
      // Whole seconds are rounded up, which matters for one of them: half of it is the mean.
      boolean isRounded = !isCountingTold() && resetMicros == MICROS_PER_SECOND;
      return isRounded ? resetMicros / 2 : resetMicros;
    }
    return remaining < 1 ? Math.min(resetMicros, length.micros()) / 2 : 0;
  }

  /**
   * Before when nothing can be there, as the newest answer said that nothing was left and, to the
   * millisecond, when the next permit is: who sends earlier is refused. The past where that is not
   * told, and on a short window, where the way of the answer is as long as what it tells.
   */
  double noneBefore(Traffic traffic) {
    return isCountingTold() && !isShort() && found < 1
        ? newestReceived + resetMicros - traffic.shortestMicros()
        : Double.NEGATIVE_INFINITY;
  }

  @Override
  public String toString() {
    return "%d of %d per %s left%s"
        .formatted(
            (long) remaining,
            limit,
            Duration.ofMillis((long) (length.micros() / 1000)),
            counting.map(told -> " (" + told + ")").orElse(""));
  }
}
