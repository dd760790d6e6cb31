package dev.comporta.server.store;

import dev.comporta.server.algorithm.FixedWindow;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.TokenBucket;
import java.util.List;

/**
 * The limits of one node while it decides alone: a share of each in percent, rounded up, but never
 * too small for the cost of the request unless the whole limit is.
 */
final class LocalShare {

  private static final int WHOLE = 100;

  private final int percent;

  /** That share, 1 to 100 percent. */
  LocalShare(int percent) {
    this.percent = percent;
  }

  /** The same keys in the same order, with a share of each limit. */
  List<KeyedLimit> of(List<KeyedLimit> limits, long cost) {
    if (percent == WHOLE) {
      return limits;
    }
    return limits.stream()
        .map(limit -> new KeyedLimit(limit.key(), of(limit.limit(), cost), limit.formerKeys()))
        .toList();
  }

  private RateAlgorithm of(RateAlgorithm limit, long cost) {
    long most = Math.min(limit.limit(), Math.max(ceilShare(limit.limit()), cost));
    if (limit instanceof TokenBucket bucket) {
      return new TokenBucket(
          bucket.reducedPermits() * percent, bucket.reducedWindowMicros() * WHOLE, most);
    }
    if (limit instanceof SlidingWindowCounter counter) {
      return new SlidingWindowCounter(
          most, counter.windowMicros(), counter.segments(), counter.estimate());
    }
    if (limit instanceof SlidingWindowLog log) {
      return new SlidingWindowLog(most, log.windowMicros());
    }
    if (limit instanceof FixedWindow fixed) {
      return new FixedWindow(most, fixed.window());
    }
    throw new IllegalArgumentException("no share is defined for " + limit.getClass().getName());
  }

  private long ceilShare(long permits) {
    return (permits * percent + WHOLE - 1) / WHOLE;
  }
}
