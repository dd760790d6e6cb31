package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.TokenBucket;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalShareTest {

  private static final long MINUTE = 60_000_000;

  @Test
  void roundsTheShareUp() {
    assertThat(share(33, new SlidingWindowCounter(10, MINUTE), 1).limit()).isEqualTo(4);
    assertThat(share(1, new TokenBucket(10, MINUTE, 10), 1).limit()).isEqualTo(1);
  }

  @Test
  void leavesAWholeShareAsItIs() {
    RateAlgorithm limit = new TokenBucket(10, MINUTE, 10);

    assertThat(share(100, limit, 1)).isSameAs(limit);
  }

  @Test
  void makesRoomForACostThatTheWholeLimitAdmits() {
    assertThat(share(10, new TokenBucket(10, MINUTE, 10), 7).limit()).isEqualTo(7);
    assertThat(share(10, new SlidingWindowCounter(10, MINUTE), 10).limit()).isEqualTo(10);
  }

  @Test
  void keepsACostImpossibleThatTheWholeLimitNeverAdmits() {
    assertThat(share(10, new SlidingWindowCounter(10, MINUTE), 11).limit()).isEqualTo(10);
  }

  @Test
  void refillsABucketAtTheShareOfTheRate() {
    TokenBucket half = (TokenBucket) share(50, new TokenBucket(7, 13_000_000, 7), 1);

    assertThat(half.reducedPermits() * 26_000_000).isEqualTo(half.reducedWindowMicros() * 7);
  }

  @Test
  void keepsTheLargestBucketWithoutOverflow() {
    long now = 1_800_000_000_000_000L;
    TokenBucket largest = new TokenBucket(94_906_249, 34_560_000_000_000L, 94_906_249);
    RateAlgorithm share = share(1, largest, 94_906_249);
    long[] state = new long[RateAlgorithm.STATE_LONGS];

    share.charge(state, 94_906_249, now);

    assertThat(share.standing(state, now).remaining()).isZero();
    assertThat(share.standing(state, now).resetAfterMicros()).isEqualTo(34_560_000_000_000L * 100);
  }

  private static RateAlgorithm share(int percent, RateAlgorithm limit, long cost) {
    return new LocalShare(percent).of(List.of(new KeyedLimit("k", limit)), cost).get(0).limit();
  }
}
