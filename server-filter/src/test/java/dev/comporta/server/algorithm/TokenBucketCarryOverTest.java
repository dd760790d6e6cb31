package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketCarryOverTest {

  private static final long NOW = 1_800_000_000_000_000L;

  @Test
  void keepsOnePermitUsedAsOneWhenTheOldRateHasFractions() {
    TokenBucket threePerSecond = new TokenBucket(3, 1_000_000, 3);
    TokenBucket tenPerSecond = new TokenBucket(10, 1_000_000, 10);
    long[] state = new long[RateAlgorithm.STATE_LONGS];
    threePerSecond.charge(state, 1, NOW);

    tenPerSecond.rebase(state, NOW);

    assertThat(tenPerSecond.standing(state, NOW).remaining()).isEqualTo(9);
  }

  @Test
  void roundsAPartOfAPermitUp() {
    TokenBucket threePerSecond = new TokenBucket(3, 1_000_000, 3);
    TokenBucket tenPerSecond = new TokenBucket(10, 1_000_000, 10);
    long[] state = new long[RateAlgorithm.STATE_LONGS];
    threePerSecond.charge(state, 2, NOW);

    tenPerSecond.rebase(state, NOW + 1);

    assertThat(tenPerSecond.standing(state, NOW + 1).remaining()).isEqualTo(8);
  }

  @Test
  void usesAtMostTheBurstWhenTheClockSteppedBackFurtherThanALongCanSay() {
    TokenBucket fast = new TokenBucket(2_000_000_000, 1_000, 2_000_000_000);
    TokenBucket slow = new TokenBucket(10, 1_000_000, 10);
    long[] state = new long[RateAlgorithm.STATE_LONGS];
    fast.charge(state, 1, NOW);

    slow.rebase(state, NOW - 1_000_000_000_000_000L);

    assertThat(slow.standing(state, NOW - 1_000_000_000_000_000L).remaining()).isZero();
  }
}
