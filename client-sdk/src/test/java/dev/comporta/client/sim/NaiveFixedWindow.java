package dev.comporta.client.sim;

/** One counter that begins anew at each multiple of the window, less the phase. */
final class NaiveFixedWindow implements NaiveLimit {

  private final long limit;
  private final long windowMicros;
  private final long phaseMicros;
  private long window = Long.MIN_VALUE;
  private long count;

  NaiveFixedWindow(long limit, long windowMicros, long phaseMicros) {
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
    return remaining(now) >= 1;
  }

  @Override
  public void take(long now) {
    roll(now);
    count++;
  }

  @Override
  public long remaining(long now) {
    roll(now);
    return limit - count;
  }

  @Override
  public long retryAfterMicros(long now) {
    return windowMicros - Math.floorMod(now + phaseMicros, windowMicros);
  }

  @Override
  public long wholeAfterMicros(long now) {
    roll(now);
    return count == 0 ? 0 : retryAfterMicros(now);
  }

  private void roll(long now) {
    long at = Math.floorDiv(now + phaseMicros, windowMicros);
    if (at != window) {
      window = at;
      count = 0;
    }
  }
}
