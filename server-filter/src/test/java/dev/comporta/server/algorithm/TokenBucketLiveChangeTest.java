package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketLiveChangeTest {

  private static final long NOW = 1_800_000_000_000_000L;
  private static final long SECOND = 1_000_000;
  private static final long HOUR = 3_600 * SECOND;

  private final TokenBucket threePerSecond = new TokenBucket(3, SECOND, 3);
  private final TokenBucket tenPerSecond = new TokenBucket(10, SECOND, 10);
  private final TokenBucket tenPerHour = new TokenBucket(10, HOUR, 10);
  private final TokenBucket sevenPerTwoHours = new TokenBucket(7, 2 * HOUR, 7);

  @Test
  void keepsOnePermitUsedAsOneWhenTheOldRateHasFractions() {
    long[] state = threePerSecond.charge(threePerSecond.newState(), 1, NOW);

    assertThat(tenPerSecond.standing(state, NOW).remaining()).isEqualTo(9);
  }

  @Test
  void partOfAPermitThatIsUsedLeavesOneLess() {
    long[] state = threePerSecond.charge(threePerSecond.newState(), 2, NOW);

    assertThat(tenPerSecond.standing(state, NOW + 1).remaining()).isEqualTo(8);
  }

  @Test
  void usageDrainsAtTheOldRateUntilTheFirstAdmissionAtTheNewOne() {
    long[] state = tenPerHour.charge(tenPerHour.newState(), 10, NOW);

    assertThat(sevenPerTwoHours.decide(state, 1, NOW))
        .isEqualTo(new Decision.Denied(4 * HOUR / 10));
    assertThat(sevenPerTwoHours.standing(state, NOW + HOUR / 2).remaining()).isEqualTo(2);

    sevenPerTwoHours.charge(state, 2, NOW + HOUR / 2);

    assertThat(sevenPerTwoHours.decide(state, 1, NOW + HOUR / 2))
        .isEqualTo(new Decision.Denied(1_028_571_429));
  }

  @Test
  void refusalUnderAnotherRateWritesNothing() {
    long[] state = tenPerHour.charge(tenPerHour.newState(), 10, NOW);
    long[] before = state.clone();

    boolean isChanged = sevenPerTwoHours.rebase(state, NOW + 1);
    sevenPerTwoHours.decide(state, 7, NOW + 1);
    sevenPerTwoHours.standing(state, NOW + 1);

    assertThat(isChanged).isFalse();
    assertThat(state).isEqualTo(before);
  }

  @Test
  void nodesOfTwoVersionsAdmitTheLargerLimitInAllAndNotOneEach() {
    long[] state = tenPerHour.newState();
    int admitted = 0;
    for (int i = 0; i < 200; i++) {
      TokenBucket node = i % 2 == 0 ? tenPerHour : sevenPerTwoHours;
      if (node.decide(state, 1, NOW) instanceof Decision.Allowed) {
        state = node.charge(state, 1, NOW);
        admitted++;
      }
    }

    assertThat(admitted).isEqualTo(10);
  }

  @Test
  void nodesOfTwoVersionsRefillWhileTheyTakeTurns() {
    long[] state = tenPerHour.newState();
    int admitted = 0;
    for (int i = 0; i < 36_000; i++) {
      TokenBucket node = i % 2 == 0 ? tenPerHour : sevenPerTwoHours;
      if (node.decide(state, 1, NOW + i * SECOND) instanceof Decision.Allowed) {
        state = node.charge(state, 1, NOW + i * SECOND);
        admitted++;
      }
    }

    assertThat(admitted).isBetween(10 + 35, 10 + 100);
  }

  @Test
  void retryAfterUnderAnotherRateIsExactWithFractions() {
    long[] state = threePerSecond.charge(threePerSecond.newState(), 3, NOW);

    assertThat(new TokenBucket(1, HOUR, 1).decide(state, 1, NOW))
        .isEqualTo(new Decision.Denied(SECOND));
    assertThat(new TokenBucket(2, HOUR, 2).decide(state, 1, NOW))
        .isEqualTo(new Decision.Denied(666_667));
  }

  @Test
  void refundUnderAnotherRateGivesBackPermitsAndForgivesNoMore() {
    long[] state = new TokenBucket(100, HOUR, 100).charge(new long[5], 60, NOW);

    tenPerHour.refund(state, 1, NOW, NOW);

    assertThat(new TokenBucket(100, HOUR, 100).standing(state, NOW).remaining()).isEqualTo(41);
  }

  @Test
  void largestAndSmallestRatesReadEachOther() {
    TokenBucket fast = new TokenBucket(2_000_000_000, 1_000, 2_000_000_000);
    TokenBucket slow = new TokenBucket(1, 400 * 24 * HOUR, 1);
    long[] ofFast = fast.charge(fast.newState(), 2_000_000_000, NOW);
    long[] ofSlow = slow.charge(slow.newState(), 1, NOW);

    assertThat(slow.decide(ofFast, 1, NOW)).isEqualTo(new Decision.Denied(1_000));
    assertThat(fast.standing(ofSlow, NOW).remaining()).isEqualTo(1_999_999_999);
    assertThat(fast.decide(ofSlow, 2_000_000_000, NOW))
        .isEqualTo(new Decision.Denied(400 * 24 * HOUR));
    fast.refund(ofSlow, 1, NOW, NOW);
    assertThat(fast.standing(ofSlow, NOW).remaining()).isEqualTo(2_000_000_000);
    slow.surcharge(ofFast, 1, NOW);
    assertThat(slow.decide(ofFast, 1, NOW)).isEqualTo(new Decision.Denied(2 * 400 * 24 * HOUR));
  }
}
