package dev.comporta.client.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RetryAccountTest {

  private static final long NOW = 5_000_000;

  @Test
  void hasTenSecondsWorthOfTheFloorAtFirstAndNoMore() {
    RetryAccount account = new RetryAccount(new RetryBudget(0, 2), NOW);

    assertThat(taken(account, 100, NOW)).isEqualTo(20);
  }

  @Test
  void theFloorComesBackWithTimeAndIsSavedForTenSeconds() {
    RetryAccount account = new RetryAccount(new RetryBudget(0, 2), NOW);
    taken(account, 100, NOW);

    assertThat(taken(account, 100, NOW + 499_999)).isZero();
    assertThat(taken(account, 100, NOW + 500_000)).isEqualTo(1);
    assertThat(taken(account, 100, NOW + 3_600_000_000L)).isEqualTo(20);
  }

  @Test
  void earnsItsShareOfWhatIsSent() {
    RetryAccount account = new RetryAccount(new RetryBudget(20, 0), NOW);
    for (int i = 0; i < 50; i++) {
      account.sent();
    }

    assertThat(taken(account, 100, NOW)).isEqualTo(10);
  }

  @Test
  void savesAHundredRepetitionsAtMost() {
    RetryAccount account = new RetryAccount(new RetryBudget(20, 0), NOW);
    for (int i = 0; i < 10_000; i++) {
      account.sent();
    }

    assertThat(taken(account, 1_000, NOW)).isEqualTo(100);
  }

  @Test
  void timeThatGoesBackGivesNothing() {
    RetryAccount account = new RetryAccount(new RetryBudget(0, 1), NOW);
    taken(account, 100, NOW);

    assertThat(taken(account, 100, NOW - 1_000_000)).isZero();
    assertThat(taken(account, 100, NOW)).isZero();
  }

  @Test
  void aBudgetBelowNothingIsAFault() {
    assertThatThrownBy(() -> new RetryBudget(-1, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("percent of the retry budget must be from 0 to 10000, was -1");
    assertThatThrownBy(() -> new RetryBudget(20, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("perSecond of the retry budget");
  }

  private static int taken(RetryAccount account, int tries, long nowMicros) {
    int taken = 0;
    for (int i = 0; i < tries; i++) {
      taken += account.tryTake(nowMicros) ? 1 : 0;
    }
    return taken;
  }
}
