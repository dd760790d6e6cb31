package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.Decision;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.LimitStore.Standings;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How usage is changed other than by a decision, in every store: settled, granted, reset, moved
 * from a former key. The time is driven by hand.
 */
abstract class UsageChangeContract {

  static final long SECOND = 1_000_000;
  static final long MINUTE = 60 * SECOND;

  final AtomicLong now = new AtomicLong(1_800_000_000 * SECOND);
  LimitStore store;

  /** An empty store that takes the time from that clock. */
  protected abstract LimitStore open(MicrosClock clock);

  @BeforeEach
  void openStore() {
    store = open(now::get);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

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
  void resetOfACallerThatNeverCameIsHarmless() {
    KeyedLimit limit = bucket("b", 10);

    store.reset(List.of(limit));

    assertThat(remaining(limit)).isEqualTo(10);
  }

  @Test
  void movesUsageFromTheFormerKeyWhenItDecides() {
    KeyedLimit former = window("former", 10);
    KeyedLimit moved = formerly("former", window("moved", 10));
    store.decide(List.of(former), 4);

    assertThat(remaining(moved)).isEqualTo(6);
    assertThat(remaining(former)).isEqualTo(6);
    assertThat(passes(store.decide(List.of(moved), 1))).isTrue();

    assertThat(remaining(moved)).isEqualTo(5);
    assertThat(remaining(former)).isEqualTo(10);
  }

  @Test
  void refusesByTheUsageUnderTheFormerKeyAndLeavesItThere() {
    KeyedLimit former = bucket("former", 10);
    KeyedLimit moved = formerly("former", bucket("moved", 10));
    store.decide(List.of(former), 8);

    assertThat(store.decide(List.of(moved), 3)).isInstanceOf(Verdict.Refused.class);

    assertThat(remaining(former)).isEqualTo(2);
    assertThat(remaining(moved)).isEqualTo(2);
  }

  @Test
  void leavesTheFormerKeyAloneWhenThereIsUsageUnderTheKey() {
    KeyedLimit former = bucket("former", 10);
    KeyedLimit moved = formerly("former", bucket("moved", 10));
    store.decide(List.of(moved), 1);
    store.decide(List.of(former), 8);

    store.decide(List.of(moved), 1);

    assertThat(remaining(moved)).isEqualTo(8);
    assertThat(remaining(former)).isEqualTo(2);
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
  void forgetsUsageUnderTheFormerKeyWhenReset() {
    KeyedLimit former = bucket("former", 10);
    KeyedLimit moved = formerly("former", bucket("moved", 10));
    store.decide(List.of(former), 8);

    store.reset(List.of(moved));

    assertThat(remaining(moved)).isEqualTo(10);
  }

  @Test
  void movesUsageFromWhicheverFormerKeyHasIt() {
    List<String> formerKeys =
        IntStream.range(0, KeyedLimit.MOST_FORMER_KEYS).mapToObj(i -> "former-" + i).toList();
    for (String former : formerKeys) {
      KeyedLimit moved = formerly(formerKeys, bucket("moved from " + former, 10));
      store.decide(List.of(bucket(former, 10)), 4);

      assertThat(remaining(moved)).as(former).isEqualTo(6);
      assertThat(passes(store.decide(List.of(moved), 1))).as(former).isTrue();

      assertThat(remaining(moved)).as(former).isEqualTo(5);
      assertThat(remaining(bucket(former, 10))).as(former).isEqualTo(10);
    }
  }

  @Test
  void countsTheNewestFormerKeyThatHasUsageAndForgetsTheOthersWhenItMoves() {
    KeyedLimit older = bucket("older", 10);
    KeyedLimit newer = bucket("newer", 10);
    KeyedLimit moved = formerly(List.of("newest", "newer", "older"), bucket("moved", 10));
    store.decide(List.of(older), 7);
    store.decide(List.of(newer), 2);

    assertThat(remaining(moved)).isEqualTo(8);
    assertThat(store.decide(List.of(moved), 9)).isInstanceOf(Verdict.Refused.class);
    assertThat(remaining(older)).isEqualTo(3);
    assertThat(passes(store.decide(List.of(moved), 1))).isTrue();

    assertThat(remaining(moved)).isEqualTo(7);
    assertThat(remaining(newer)).isEqualTo(10);
    assertThat(remaining(older)).isEqualTo(10);
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

  @Test
  void forgetsUsageUnderAllFormerKeysWhenReset() {
    KeyedLimit moved = formerly(List.of("newer", "older"), bucket("moved", 10));
    store.decide(List.of(bucket("older", 10)), 8);
    store.decide(List.of(bucket("newer", 10)), 8);

    store.reset(List.of(moved));

    assertThat(remaining(moved)).isEqualTo(10);
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

  private static KeyedLimit formerly(String formerKey, KeyedLimit limit) {
    return formerly(List.of(formerKey), limit);
  }

  private static KeyedLimit formerly(List<String> formerKeys, KeyedLimit limit) {
    return new KeyedLimit(limit.key(), limit.limit(), formerKeys);
  }

  boolean passes(Verdict verdict) {
    return verdict instanceof Verdict.Admitted;
  }

  long remaining(KeyedLimit limit) {
    return store.peek(List.of(limit)).standings().get(0).remaining();
  }

  static KeyedLimit bucket(String key, long permits) {
    return keyed(key, new TokenBucket(permits, MINUTE, permits));
  }

  static KeyedLimit window(String key, long permits) {
    return keyed(key, new SlidingWindowCounter(permits, MINUTE));
  }

  static KeyedLimit keyed(String key, RateAlgorithm limit) {
    return new KeyedLimit(key, limit);
  }
}
