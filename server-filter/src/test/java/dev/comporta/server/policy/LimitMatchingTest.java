package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LimitMatchingTest {

  @Test
  void continuesTheLimitOfTheSameWindowInWhicheverOrder() {
    assertThat(former(limits("10/1s", "100/1m"), limits("200/1m", "20/1s")))
        .containsExactly("100/1m", "10/1s");
    assertThat(former(limits("100/1m", "10/1s"), limits("200/1m", "20/1s")))
        .containsExactly("100/1m", "10/1s");
  }

  @Test
  void prefersAnEqualLimitToOneOfTheSameWindow() {
    assertThat(former(limits("10/1m", "20/1m"), limits("20/1m"))).containsExactly("20/1m");
    assertThat(former(limits("10/1m", "20/1m"), limits("5/1m", "20/1m")))
        .containsExactly("10/1m", "20/1m");
  }

  @Test
  void continuesLimitsOfOneWindowInWhicheverOrder() {
    assertThat(former(limits("10/1m", "20/1m"), limits("20/1m", "30/1m")))
        .containsExactly("20/1m", "10/1m");
    assertThat(former(limits("10/1m", "20/1m"), limits("40/1m", "30/1m")))
        .containsExactly("20/1m", "10/1m");
    assertThat(former(limits("20/1m", "10/1m"), limits("30/1m", "40/1m")))
        .containsExactly("10/1m", "20/1m");
  }

  @Test
  void amongLimitsOfOneWindowPrefersOneThatDiffersInShadowThenOneOfAsManyPermits() {
    assertThat(former(limits("10/1m;burst=5", "10/1m"), limits("10/1m;shadow")))
        .containsExactly("10/1m");
    assertThat(former(limits("10/1m", "20/1m"), limits("30/1m", "20/1m;burst=5")))
        .containsExactly("10/1m", "20/1m");
  }

  @Test
  void pairsTheRestFromTheShortestWindowUp() {
    assertThat(former(limits("10/1s", "100/1m", "1000/1h"), limits("900/2h", "100/1m", "20/2s")))
        .containsExactly("1000/1h", "100/1m", "10/1s");
    assertThat(former(limits("10/1s", "100/1m"), limits("20/2s"))).containsExactly("10/1s");
  }

  @Test
  void startsAnewWhereThereAreMoreLimitsThanBefore() {
    assertThat(former(limits("10/1s"), limits("10/1s", "100/1m"))).containsExactly("10/1s", "");
    assertThat(former(limits("10/1s"), limits("100/1m", "10/1s"))).containsExactly("", "10/1s");
    assertThat(former(List.of(), limits("100/1m"))).containsExactly("");
    assertThat(former(limits("100/1m"), List.of())).isEmpty();
  }

  @Test
  void continuesNoLimitOfAnotherAlgorithmOrForOthers() {
    LimitSpec plain = LimitSpec.parse("10/1m");
    LimitSpec counter = plain.countedBy(Algorithm.SLIDING_WINDOW_COUNTER);
    LimitSpec shared = plain.perEach(By.EVERYONE);

    assertThat(former(List.of(plain), List.of(counter))).containsExactly("");
    assertThat(former(List.of(plain), List.of(shared))).containsExactly("");
    assertThat(LimitMatching.formerOf(List.of(shared, counter, plain), List.of(plain, counter)))
        .containsExactly(OptionalInt.of(2), OptionalInt.of(1));
  }

  @Test
  void continuesEachLimitOnceAndNeverDependsOnTheOrder() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<LimitSpec> old = someLimits(random);
      List<LimitSpec> fresh = someLimits(random);
      List<LimitSpec> oldOtherwise = new ArrayList<>(old);
      List<LimitSpec> freshOtherwise = new ArrayList<>(fresh);
      Collections.shuffle(oldOtherwise, random);
      Collections.shuffle(freshOtherwise, random);

      List<OptionalInt> matched = LimitMatching.formerOf(old, fresh);
      List<Integer> taken =
          matched.stream().filter(OptionalInt::isPresent).map(OptionalInt::getAsInt).toList();

      assertThat(taken).as("seed %d", seed).doesNotHaveDuplicates();
      assertThat(pairs(old, fresh))
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(pairs(oldOtherwise, freshOtherwise));
    }
  }

  @Test
  void continuesEachLimitByItselfWhereNothingChanges() {
    for (long seed = 0; seed < 100; seed++) {
      List<LimitSpec> same = someLimits(new Random(seed));

      assertThat(pairs(same, same))
          .as("seed %d", seed)
          .containsExactlyElementsOf(same.stream().map(one -> one + " <- " + one).toList());
    }
  }

  private static List<LimitSpec> someLimits(Random random) {
    List<LimitSpec> some = new ArrayList<>();
    for (String window : List.of("1s", "2s", "1m", "1m", "1m", "1h", "1d")) {
      if (random.nextBoolean()) {
        LimitSpec limit = LimitSpec.parse(1 + random.nextInt(50) + "/" + window);
        some.add(random.nextInt(4) == 0 ? limit.perEach(By.ADDRESS) : limit);
      }
    }
    Collections.shuffle(some, random);
    return some;
  }

  private static List<String> pairs(List<LimitSpec> old, List<LimitSpec> fresh) {
    List<String> former = former(old, fresh);
    List<String> pairs = new ArrayList<>();
    for (int at = 0; at < fresh.size(); at++) {
      pairs.add(fresh.get(at) + " <- " + former.get(at));
    }
    return pairs;
  }

  /** The text of the old limit that each continues; empty if none. */
  private static List<String> former(List<LimitSpec> old, List<LimitSpec> fresh) {
    return LimitMatching.formerOf(old, fresh).stream()
        .map(at -> at.isPresent() ? old.get(at.getAsInt()).toString() : "")
        .toList();
  }

  private static List<LimitSpec> limits(String... texts) {
    return Arrays.stream(texts).map(LimitSpec::parse).toList();
  }
}
