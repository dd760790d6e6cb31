package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {

  private final long[] state = new long[5];

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

    assertThat(after.standing(state, 0).remaining()).isEqualTo(6);
  }

  @Test
  void moreUsedThanTheNewLimitLeavesZeroAndAPositiveWait() {
    TokenBucket before = new TokenBucket(2_000, 86_400_000_000L, 2_000);
    TokenBucket after = new TokenBucket(200, 86_400_000_000L, 200);
    spend(before, state, 1_500, 0);

    assertThat(after.standing(state, 0))
        .isEqualTo(new Standing(200, 0, 1_500 * 43_200_000L, 1_301 * 43_200_000L));
  }

  @Test
  void rateThatIsWrittenOtherwiseIsTheSameRate() {
    TokenBucket bucket = new TokenBucket(3, 1_000_000, 3);
    spend(bucket, state, 2, 7);

    assertThat(new TokenBucket(6, 2_000_000, 3).standing(state, 8))
        .isEqualTo(bucket.standing(state, 8));
  }

  @Test
  void callerWhoWaitsAsToldPassesAfterAClockSteppedBackByYears() {
    TokenBucket bucket = new TokenBucket(10, 60_000_000, 10);
    long now = 1_800_000_000_000_000L;
    long yearsBefore = now - 100_000_000_000_000L;
    spend(bucket, state, 10, now);

    boolean isChanged = bucket.rebase(state, yearsBefore);
    Decision decision = bucket.decide(state, 1, yearsBefore);
    bucket.rebase(state, yearsBefore + 5_999_999);
    Decision early = bucket.decide(state, 1, yearsBefore + 5_999_999);
    bucket.rebase(state, yearsBefore + 6_000_000);
    Decision asTold = bucket.decide(state, 1, yearsBefore + 6_000_000);

    assertThat(isChanged).isTrue();
    assertThat(decision).isEqualTo(new Decision.Denied(6_000_000));
    assertThat(early).isEqualTo(new Decision.Denied(1));
    assertThat(asTold).isEqualTo(Decision.ALLOWED);
  }

  @Test
  void surchargeIsADebtOfAtMostOneMoreBurst() {
    TokenBucket bucket = new TokenBucket(10, 60_000_000, 10);
    spend(bucket, state, 10, 0);

    bucket.surcharge(state, 4, 0);
    Decision indebted = bucket.decide(state, 1, 0);
    bucket.surcharge(state, Long.MAX_VALUE, 0);

    assertThat(indebted).isEqualTo(new Decision.Denied(5 * 6_000_000));
    assertThat(bucket.standing(state, 0))
        .isEqualTo(new Standing(10, 0, 20 * 6_000_000, 11 * 6_000_000));
  }

  @Test
  void refundGivesBackWhatStillCountsAndNeverMoreThanTheLimit() {
    TokenBucket bucket = new TokenBucket(10, 60_000_000, 10);
    spend(bucket, state, 10, 0);

    bucket.refund(state, 4, 0, 0);
    long remaining = bucket.standing(state, 0).remaining();
    bucket.refund(state, 100, 0, 30_000_000);

    assertThat(remaining).isEqualTo(4);
    assertThat(bucket.standing(state, 30_000_000)).isEqualTo(new Standing(10, 10, 0, 0));
  }

  @Test
  void refundOfWhatHasComeBackByItselfGivesNothing() {
    TokenBucket bucket = new TokenBucket(10, 60_000_000, 10);
    spend(bucket, state, 10, 0);
    spend(bucket, state, 10, 60_000_000);

    bucket.refund(state, 10, 0, 60_000_000);

    assertThat(bucket.standing(state, 60_000_000).remaining()).isZero();
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
