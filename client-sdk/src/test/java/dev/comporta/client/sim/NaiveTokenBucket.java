package dev.comporta.client.sim;

/** A bucket that holds the limit and refills evenly within the window; levels are exact. */
final class NaiveTokenBucket implements NaiveLimit {

  private final long limit;
  private final long windowMicros;

  /** Tokens times the window: a micro adds the limit to it, a request takes the window from it. */
  private long level;

  private long levelAt;

  NaiveTokenBucket(long limit, long windowMicros) {
    this.limit = limit;
    this.windowMicros = windowMicros;
    this.level = limit * windowMicros;
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
    refill(now);
    return level >= windowMicros;
  }

  @Override
  public void take(long now) {
    refill(now);
    level -= windowMicros;
  }

  @Override
  public long remaining(long now) {
    refill(now);
    return level / windowMicros;
  }

  @Override
  public long retryAfterMicros(long now) {
    refill(now);
    return (Math.max(0, windowMicros - level) + limit - 1) / limit;
  }

  @Override
  public long wholeAfterMicros(long now) {
    refill(now);
    return (limit * windowMicros - level + limit - 1) / limit;
  }

  private void refill(long now) {
    level = Math.min(limit * windowMicros, level + (now - levelAt) * limit);
    levelAt = now;
  }
}
