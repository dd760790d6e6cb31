package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {

  private final long[] state = new long[RateAlgorithm.STATE_LONGS];

  private static boolean spend(RateAlgorithm algorithm, long[] state, long cost, long nowMicros) {
    if (algorithm.decide(state, cost, nowMicros) instanceof Decision.Allowed) {
      algorithm.charge(state, cost, nowMicros);
      return true;
    }
    return false;
  }

  @Test
  void firstAnswerOfLimitFiveSaysFour() {
    TokenBucket bucket = new TokenBucket(5, 60_000_000, 5);

    spend(bucket, state, 1, 1_000_000);

    assertThat(bucket.standing(state, 1_000_000)).isEqualTo(new Standing(5, 4, 12_000_000, 0));
  }

  @Test
  void fractionsOfAPermitSurviveEveryCallAdmittedOrRefused() {
    TokenBucket bucket = new TokenBucket(1, 1_000_000, 1);
    int admitted = 0;

    for (long nowMicros = 0; nowMicros <= 60_000_000; nowMicros += 600_000) {
      admitted += spend(bucket, state, 1, nowMicros) ? 1 : 0;
    }

    assertThat(admitted).isEqualTo(51);
  }

  @Test
  void threePerSecondNeitherGainsNorLosesAPermitInADay() {
    TokenBucket bucket = new TokenBucket(3, 1_000_000, 3);
    long day = 86_400;
    long nowMicros = 0;

    for (long spent = 0; spent < 3 * day; spent++) {
      if (bucket.decide(state, 1, nowMicros) instanceof Decision.Denied denied) {
        nowMicros += denied.retryAfterMicros();
      }
      bucket.charge(state, 1, nowMicros);
    }

    assertThat(nowMicros).isEqualTo((day - 1) * 1_000_000);
  }

  @Test
  void idleYearsGiveNoMoreThanOneBurst() {
    TokenBucket bucket = new TokenBucket(10, 60_000_000, 25);
    spend(bucket, state, 25, 0);
    long tenYears = 10L * 365 * 86_400 * 1_000_000;

    assertThat(spend(bucket, state, 25, tenYears)).isTrue();
    assertThat(spend(bucket, state, 1, tenYears)).isFalse();
  }

  @Test
  void partOfAPermitIsWaitedForExactly() {
    TokenBucket bucket = new TokenBucket(1, 1_000_000, 1);
    spend(bucket, state, 1, 0);

    assertThat(bucket.decide(state, 1, 200_000)).isEqualTo(new Decision.Denied(800_000));
  }

  @Test
  void usageStaysWhenTheRateChanges() {
    TokenBucket before = new TokenBucket(100, 60_000_000, 100);
    TokenBucket after = new TokenBucket(10, 60_000_000, 10);
    spend(before, state, 4, 0);

    after.rebase(state, 0);

    assertThat(after.standing(state, 0).remaining()).isEqualTo(6);
  }

  @Test
  void moreUsedThanTheNewLimitLeavesZeroAndAPositiveWait() {
    TokenBucket before = new TokenBucket(2_000, 86_400_000_000L, 2_000);
    TokenBucket after = new TokenBucket(200, 86_400_000_000L, 200);
    spend(before, state, 1_500, 0);

    after.rebase(state, 0);

    assertThat(after.standing(state, 0))
        .isEqualTo(new Standing(200, 0, 86_400_000_000L, 432_000_000));
  }

  @Test
  void sameRateCarriesNothingOver() {
    TokenBucket bucket = new TokenBucket(3, 1_000_000, 3);
    spend(bucket, state, 2, 7);
    long[] before = state.clone();

    new TokenBucket(6, 2_000_000, 6).rebase(state, 7);

    assertThat(state).isEqualTo(before);
  }

  @Test
  void largestAcceptedValuesDoNotOverflow() {
    TokenBucket bucket = new TokenBucket(2_147_483_647L, 34_560_000_000_000L, 1);
    long lastInstant = (1L << 53) - 34_560_000_000_001L;

    assertThat(spend(bucket, state, 1, lastInstant)).isTrue();
    assertThat(bucket.decide(state, 1, lastInstant)).isEqualTo(new Decision.Denied(16_094));
    assertThat(bucket.standing(state, lastInstant + 16_094).remaining()).isEqualTo(1);
  }
}
