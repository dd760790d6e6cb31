package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.Decision;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.store.LimitStore.Standings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How usage is changed other than by a decision, in every store: settled, granted, reset, moved
 * from a former key. The time is driven by hand.
 */
abstract class UsageChangeContract extends OneLimitContract {

  @Test
  void takesASurchargeFromEveryLimitAtOneInstant() {
    List<KeyedLimit> limits = List.of(bucket("b", 10), window("w", 10));
    long chargedAt = charged(limits, 4);
    now.addAndGet(SECOND);

    Standings after = store.settle(limits, 3, chargedAt);

    assertThat(after.nowMicros()).isEqualTo(now.get());
    assertThat(after.standings())
        .containsExactly(
            settled(limits.get(0).limit(), 3, chargedAt),
            settled(limits.get(1).limit(), 3, chargedAt));
    assertThat(store.peek(limits)).isEqualTo(after);
  }

  @Test
  void takesASurchargeThatIsNotThereAsADebt() {
    List<KeyedLimit> limits = List.of(bucket("b", 10));
    long chargedAt = charged(limits, 9);

    store.settle(limits, 5, chargedAt);

    RateAlgorithm limit = limits.get(0).limit();
    long[] state = limit.charge(limit.newState(), 9, chargedAt);
    Decision expected = limit.decide(limit.surcharge(state, 5, chargedAt), 1, chargedAt);
    Verdict.Refused refused = (Verdict.Refused) store.decide(limits, 1);
    assertThat(refused.retryAfterMicros())
        .isEqualTo(((Decision.Denied) expected).retryAfterMicros());
  }

  @Test
  void takesASurchargeFromACallerThatNeverCame() {
    KeyedLimit limit = window("w", 10);

    store.settle(List.of(limit), 3, now.get());

    assertThat(remaining(limit)).isEqualTo(7);
  }

  @Test
  void givesARefundBackToEveryLimitAsFarAsItStillCounts() {
    List<KeyedLimit> limits = List.of(window("w", 10), bucket("b", 10));
    long chargedAt = charged(limits, 4);
    now.addAndGet(SECOND);

    Standings after = store.settle(limits, -3, chargedAt);

    assertThat(after.standings())
        .containsExactly(
            settled(limits.get(0).limit(), -3, chargedAt),
            settled(limits.get(1).limit(), -3, chargedAt));
    assertThat(store.peek(limits)).isEqualTo(after);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void refundWithoutUsageGivesNoMoreThanTheLimit(long permits) {
    KeyedLimit limit = bucket("b", 10);

    Standings after = store.settle(List.of(limit), permits, now.get());

    assertThat(after.standings().get(0).remaining()).isEqualTo(10);
  }

  @Test
  void grantsEveryLimitAtOneInstantAndNoneBeyondItsQuota() {
    List<KeyedLimit> limits = List.of(window("w", 10), bucket("b", 10));
    charged(limits, 8);

    Standings after = store.grant(limits, 3);
    Standings whole = store.grant(limits, 1_000);

    assertThat(after.nowMicros()).isEqualTo(now.get());
    assertThat(after.standings()).extracting(Standing::remaining).containsExactly(5L, 5L);
    assertThat(whole.standings()).extracting(Standing::remaining).containsExactly(10L, 10L);
    assertThat(store.peek(limits)).isEqualTo(whole);
  }

  @Test
  void grantsUsageHoweverOldItIs() {
    KeyedLimit limit = keyed("log", new SlidingWindowLog(10, MINUTE));
    store.decide(List.of(limit), 4);
    now.addAndGet(50 * SECOND);
    store.decide(List.of(limit), 2);

    store.grant(List.of(limit), 3);

    assertThat(remaining(limit)).isEqualTo(7);
    now.addAndGet(10 * SECOND);
    assertThat(remaining(limit)).isEqualTo(10);
  }

  @Test
  void grantWithoutUsageGivesNoMoreThanTheLimit() {
    KeyedLimit limit = bucket("b", 10);

    Standings after = store.grant(List.of(limit), Long.MAX_VALUE);

    assertThat(after.standings().get(0).remaining()).isEqualTo(10);
  }

  @Test
  void grantsUsageUnderTheFormerKeyAndLeavesItThere() {
    KeyedLimit former = bucket("former", 10);
    KeyedLimit moved = formerly("former", bucket("moved", 10));
    store.decide(List.of(former), 8);

    store.grant(List.of(moved), 3);

    assertThat(remaining(former)).isEqualTo(5);
    assertThat(remaining(moved)).isEqualTo(5);
  }

  @Test
  void forgetsUsageWhenReset() {
    KeyedLimit reset = bucket("reset", 10);
    KeyedLimit other = window("other", 10);
    store.decide(List.of(reset, other), 10);

    store.reset(List.of(reset));

    assertThat(remaining(reset)).isEqualTo(10);
    assertThat(remaining(other)).isZero();
    assertThat(passes(store.decide(List.of(reset), 10))).isTrue();
  }

  @Test
  void movesUsageFromTheFormerKeyWithASurcharge() {
    KeyedLimit former = bucket("former", 10);
    KeyedLimit moved = formerly("former", bucket("moved", 10));
    long chargedAt = charged(List.of(former), 4);

    store.settle(List.of(moved), 1, chargedAt);

    assertThat(remaining(moved)).isEqualTo(5);
    assertThat(remaining(former)).isEqualTo(10);
  }

  @Test
  void movesEachLimitOfARequestFromItsOwnFormerKeys() {
    store.decide(List.of(bucket("b2", 10)), 4);
    store.decide(List.of(window("w1", 10)), 3);
    KeyedLimit bucket = formerly(List.of("b1", "b2"), bucket("b", 10));
    KeyedLimit window = formerly(List.of("w1", "w2"), window("w", 10));

    store.decide(List.of(window, bucket), 1);

    assertThat(remaining(bucket)).isEqualTo(5);
    assertThat(remaining(window)).isEqualTo(6);
    assertThat(remaining(bucket("b2", 10))).isEqualTo(10);
    assertThat(remaining(window("w1", 10))).isEqualTo(10);
  }

  @Test
  void givesARefundBackWhereUsageWasMovedTo() {
    KeyedLimit moved = formerly(List.of("newer", "older"), bucket("moved", 10));
    long chargedAt = charged(List.of(bucket("older", 10)), 4);
    store.decide(List.of(moved), 1);

    store.settle(List.of(moved), -4, chargedAt);

    assertThat(remaining(moved)).isEqualTo(9);
  }

  /** The instant of a charge that passes. */
  private long charged(List<KeyedLimit> limits, long cost) {
    Verdict verdict = store.decide(limits, cost);
    assertThat(passes(verdict)).isTrue();
    return ((Verdict.Decided) verdict).nowMicros();
  }

  /** Where one stands now who was charged 4 then, and has just been settled. */
  private Standing settled(RateAlgorithm limit, long permits, long chargedAt) {
    long[] state = limit.charge(limit.newState(), 4, chargedAt);
    limit.rebase(state, now.get());
    long[] after =
        permits > 0
            ? limit.surcharge(state, permits, now.get())
            : limit.refund(state, -permits, chargedAt, now.get());
    return limit.standing(after, now.get());
  }
}
