package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.FixedWindow;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.LimitWindow;
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
  void keepsTheWayOfCounting() {
    SlidingWindowCounter counter = new SlidingWindowCounter(10, MINUTE, 4, Estimate.STRICT);
    LimitWindow day = LimitSpec.parse("10/day;zone=Europe/Lisbon").limitWindow();

    SlidingWindowCounter half = (SlidingWindowCounter) share(50, counter, 1);
    FixedWindow daily = (FixedWindow) share(50, new FixedWindow(10, day), 1);
    RateAlgorithm log = share(50, new SlidingWindowLog(10, MINUTE), 1);

    assertThat(half.segments()).isEqualTo(4);
    assertThat(half.estimate()).isEqualTo(Estimate.STRICT);
    assertThat(daily.window()).isEqualTo(day);
    assertThat(log).isInstanceOf(SlidingWindowLog.class);
    assertThat(List.of(half.limit(), daily.limit(), log.limit())).containsOnly(5L);
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
    long[] state = share.newState();

    share.charge(state, 94_906_249, now);

    assertThat(share.standing(state, now).remaining()).isZero();
    assertThat(share.standing(state, now).resetAfterMicros()).isEqualTo(34_560_000_000_000L * 100);
  }

  private static RateAlgorithm share(int percent, RateAlgorithm limit, long cost) {
    return new LocalShare(percent).of(List.of(new KeyedLimit("k", limit)), cost).get(0).limit();
  }
}
