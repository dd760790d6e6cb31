package dev.comporta.client.sim;

/** One limit, counted the plain way. */
interface NaiveLimit {

  long limit();

  long windowMicros();

  /** Whether one more request fits; changes nothing but what time alone changes. */
  boolean fits(long nowMicros);

  /** Counts one request that fits. */
  void take(long nowMicros);

  long remaining(long nowMicros);

  /** Micros until one more request fits, when it does not. */
  long retryAfterMicros(long nowMicros);

  /** Micros until the quota is whole. */
  long wholeAfterMicros(long nowMicros);
}
