package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.TokenBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every store must do with one limit at a time, whatever it counts by and whatever clock it
 * has: decide, look, reset, move usage from a former key.
 */
public abstract class OneLimitContract {

  protected static final long SECOND = 1_000_000;
  protected static final long MINUTE = 60 * SECOND;

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
  void tellsFourAfterTheFirstOfFiveOfOneLimit() {
    Verdict verdict = store.decide(List.of(window("w", 5)), 1);

    assertThat(verdict).isInstanceOf(Verdict.Admitted.class);
    assertThat(((Verdict.Decided) verdict).standings().get(0).limit()).isEqualTo(5);
    assertThat(((Verdict.Decided) verdict).standings().get(0).remaining()).isEqualTo(4);
  }

  @Test
  void countsRemainingOfOneLimitToZero() {
    List<KeyedLimit> limits = List.of(bucket("b", 3));
    List<Long> seen = new ArrayList<>(List.of(remaining(limits.get(0))));

    for (int i = 0; i < 5; i++) {
      seen.add(((Verdict.Decided) store.decide(limits, 1)).standings().get(0).remaining());
    }

    assertThat(seen).containsExactly(3L, 2L, 1L, 0L, 0L, 0L);
  }

  @Test
  void saysImpossibleToACostAboveTheOneLimitAndChargesNothing() {
    KeyedLimit limit = window("w", 5);

    assertThat(store.decide(List.of(limit), 6)).isInstanceOf(Verdict.Impossible.class);

    assertThat(remaining(limit)).isEqualTo(5);
  }

  @Test
  void forgetsTheUsageOfOneLimitWhenReset() {
    KeyedLimit reset = bucket("reset", 10);
    KeyedLimit other = window("other", 10);
    store.decide(List.of(reset), 10);
    store.decide(List.of(other), 10);

    store.reset(List.of(reset));

    assertThat(remaining(reset)).isEqualTo(10);
    assertThat(remaining(other)).isZero();
    assertThat(passes(store.decide(List.of(reset), 10))).isTrue();
  }

  @Test
  void keepsWhatWasUsedWhenTheLimitIsRaisedAndLowered() {
    store.decide(List.of(window("w", 10)), 8);

    assertThat(remaining(window("w", 20))).isEqualTo(12);
    assertThat(passes(store.decide(List.of(window("w", 20)), 2))).isTrue();
    assertThat(remaining(window("w", 12))).isEqualTo(2);
    assertThat(store.decide(List.of(window("w", 9)), 1)).isInstanceOf(Verdict.Refused.class);
    assertThat(passes(store.decide(List.of(window("w", 11)), 1))).isTrue();
    assertThat(store.decide(List.of(window("w", 11)), 1)).isInstanceOf(Verdict.Refused.class);
  }

  @Test
  void neverAdmitsMoreThanOneLimitFromManyThreads() {
    KeyedLimit limit = window("w", 100);

    long admitted =
        LongStream.range(0, 400)
            .parallel()
            .filter(i -> passes(store.decide(List.of(limit), 1)))
            .count();

    assertThat(admitted).isEqualTo(100);
    assertThat(remaining(limit)).isZero();
  }

  @Test
  void refusalSpendsNothing() {
    KeyedLimit limit = bucket("b", 10);
    store.decide(List.of(limit), 8);

    for (int i = 0; i < 5; i++) {
      assertThat(store.decide(List.of(limit), 3)).isInstanceOf(Verdict.Refused.class);
    }

    assertThat(remaining(limit)).isEqualTo(2);
  }

  @Test
  void peekSpendsNothing() {
    KeyedLimit limit = window("w", 10);
    store.decide(List.of(limit), 4);

    for (int i = 0; i < 5; i++) {
      assertThat(remaining(limit)).isEqualTo(6);
    }
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
  void forgetsUsageUnderAllFormerKeysWhenReset() {
    KeyedLimit moved = formerly(List.of("newer", "older"), bucket("moved", 10));
    store.decide(List.of(bucket("older", 10)), 8);
    store.decide(List.of(bucket("newer", 10)), 8);

    store.reset(List.of(moved));

    assertThat(remaining(moved)).isEqualTo(10);
  }

  static KeyedLimit formerly(String formerKey, KeyedLimit limit) {
    return formerly(List.of(formerKey), limit);
  }

  static KeyedLimit formerly(List<String> formerKeys, KeyedLimit limit) {
    return new KeyedLimit(limit.key(), limit.limit(), formerKeys);
  }

  boolean passes(Verdict verdict) {
    return verdict instanceof Verdict.Admitted;
  }

  long remaining(KeyedLimit limit) {
    return store.peek(List.of(limit)).standings().get(0).remaining();
  }

  /** A limit of that many permits per minute; a token bucket, if the store counts by one. */
  protected KeyedLimit bucket(String key, long permits) {
    return keyed(key, new TokenBucket(permits, MINUTE, permits));
  }

  /** The same; a weighted window, if the store counts by one. */
  protected KeyedLimit window(String key, long permits) {
    return keyed(key, new SlidingWindowCounter(permits, MINUTE));
  }

  protected static KeyedLimit keyed(String key, RateAlgorithm limit) {
    return new KeyedLimit(key, limit);
  }
}
