package dev.comporta.client.sim;

/** Two counters; the previous window counts by the share of it that is still inside. */
final class NaiveWindowCounter implements NaiveLimit {

  private final long limit;
  private final long windowMicros;
  private final long phaseMicros;
  private long window;
  private long current;
  private long previous;

  /** The windows begin at multiples of their length, less the phase. */
  NaiveWindowCounter(long limit, long windowMicros, long phaseMicros) {
    this.limit = limit;
    this.windowMicros = windowMicros;
    this.phaseMicros = phaseMicros;
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public long windowMicros() {
    return windowMicros;
  }

  @Override
  public boolean fits(long now) {
    return counted(now) + 1 <= limit;
  }

  @Override
  public void take(long now) {
    roll(now);
    current++;
  }

  @Override
  public long remaining(long now) {
    return Math.max(0, limit - counted(now));
  }

  @Override
  public long retryAfterMicros(long now) {
    long at = now;
    while (!copy().fits(at)) {
      at += Math.max(1, windowMicros / 1000);
    }
    return at - now;
  }

  @Override
  public long wholeAfterMicros(long now) {
    roll(now);
    if (current > 0) {
      return left(now) + windowMicros;
    }
    return previous > 0 ? left(now) : 0;
  }

  private long counted(long now) {
    roll(now);
    long product = previous * left(now);
    return current + (product + windowMicros - 1) / windowMicros;
  }

  private long left(long now) {
    return windowMicros - Math.floorMod(now + phaseMicros, windowMicros);
  }

  private void roll(long now) {
    long at = Math.floorDiv(now + phaseMicros, windowMicros);
    if (at != window) {
      previous = at == window + 1 ? current : 0;
      current = 0;
      window = at;
    }
  }

  private NaiveWindowCounter copy() {
    NaiveWindowCounter copy = new NaiveWindowCounter(limit, windowMicros, phaseMicros);
    copy.window = window;
    copy.current = current;
    copy.previous = previous;
    return copy;
  }
}
