package dev.comporta.client.pacing;

/** The pace of a client that shares a window log of seconds or more. */
final class HeldPace implements SharedPace {

  /*
   * How this works, and why.
   *
   * A log gives each permit back exactly one window after it was taken. So a share is not a rate
   * but a number of permits: who has sent as many as it holds waits for its own to come back, and
   * sends again as they do. Bursts and pauses then come again with every window, which costs
   * nothing: what is left stays as small as it is, so none is idle and none is missing. Rates
   * would try to smooth them, and leave permits idle in each pause.
   *
   * More may be held while more than a set point is left, but only by who has used what it holds:
   * else all would claim what one was only slow to take. Less is held while less is left. What is
   * added is the same for all and what is given is a part of what is held, so clients of one quota
   * become equal; who holds more also leaves more.
   */

  private static final double NEEDED = 0.5;
  private static final double FIRST_PART = 0.125;
  private static final double LEAST_PART = 0.005;
  private static final double LEAST_PART_AFTER_COMPANY = 0.05;

  /** Who was alone and is not any more begins with half of what it sent, others with the other. */
  private static final double OF_WHAT_WAS_SENT = 0.5;

  /** Permits that came back leave again so much faster than they would one by one in a window. */
  private static final double FASTER = 4;

  private static final double SET_POINT_DEVIATIONS = 1.6;
  private static final double SET_POINT_PART = 0.025;
  private static final double SET_POINT_OF_PART = 0.3;
  private static final double LARGEST_SET_POINT = 0.25;

  /** Parts of the limit, of what is held and left, and of what is held, in each window. */
  private static final double ADDED_PER_WINDOW = 0.3;

  private static final double CLAIMED_PER_WINDOW = 15;
  private static final double GIVEN_PER_WINDOW = 2;

  private static final double AFTER_REFUSAL = 0.95;
  private static final double UNUSED = 1.5;

  /** No pause counts for more than that part of a window, and none below that time is cut. */
  private static final double LONGEST_STEP_PART = 1.0 / 240;

  private static final double LONGEST_STEP_MICROS = 250_000;

  private final WindowState state;
  private final double limit;
  private double held;
  private long steppedAt;
  private long slowedAt = Long.MIN_VALUE / 2;

  HeldPace(WindowState state, long nowMicros) {
    this.state = state;
    this.limit = Math.max(1, state.limit());
    this.held = FIRST_PART * limit;
    this.steppedAt = nowMicros;
  }

  @Override
  public double missing(long now, Traffic traffic) {
    return NEEDED - state.expected(now, traffic);
  }

  @Override
  public boolean isShareSent(long now) {
    return sent(now) >= Math.max(1, Math.ceil(held));
  }

  @Override
  public double rate(long now, Traffic traffic) {
    return FASTER * share();
  }

  @Override
  public double share() {
    return Math.max(held, least()) / state.windowMicros();
  }

  @Override
  public void begin(double sentRate) {
    double sent = sentRate * state.windowMicros() * OF_WHAT_WAS_SENT;
    held = Math.min(limit, Math.max(LEAST_PART_AFTER_COMPANY * limit, sent));
  }

  @Override
  public void step(long now, Traffic traffic) {
    double longest = Math.max(LONGEST_STEP_MICROS, LONGEST_STEP_PART * state.windowMicros());
    double span = Math.min((double) (now - steppedAt), longest);
    double windows = span / state.windowMicros();
    steppedAt = now;
    double setPoint = setPoint();
    double excess = state.expected(now, traffic) - setPoint;
    double ratio = Math.max(-2, Math.min(excess / setPoint, 1));
    if (ratio < 0) {
      held = Math.max(least(), held * (1 + GIVEN_PER_WINDOW * ratio * windows));
    } else if (sent(now) >= held - UNUSED) {
      double added = ADDED_PER_WINDOW * limit * ratio;
      double claimed = CLAIMED_PER_WINDOW * excess * part();
      held = Math.min(limit, held + (added + claimed) * windows);
    }
  }

  @Override
  public void refused(Ticket ticket, long now) {
    if (ticket.sentMicros() > slowedAt) {
      held = Math.max(least(), held * AFTER_REFUSAL);
      slowedAt = now;
    }
  }

  /** What should be left, so that what cannot be foreseen is not refused. */
  private double setPoint() {
    double unforeseen = SET_POINT_DEVIATIONS * state.refill().deviation() + 1;
    double base = Math.min(unforeseen, LARGEST_SET_POINT * limit);
    return Math.max(1, base + SET_POINT_PART * limit) * (1 + SET_POINT_OF_PART * part());
  }

  private double sent(long now) {
    return state.own().since(now - state.windowMicros());
  }

  private double part() {
    return held / limit;
  }

  private double least() {
    return LEAST_PART * limit;
  }

  @Override
  public String toString() {
    return "shared, %.3g held".formatted(held);
  }
}
