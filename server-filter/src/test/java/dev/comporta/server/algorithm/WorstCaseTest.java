package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.policy.LimitSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The most that a caller who knows the algorithm gets out of a limit of 100 per minute in any span
 * of a minute, as the reference tells it.
 */
class WorstCaseTest {

  private static final long MINUTE = 60_000_000;
  private static final long START = 1_000 * MINUTE;
  private static final int SEARCHED = 300;

  /** What the adversary got at best, from two ways of spending and from a seeded search. */
  private record Worst(long allLate, long oneEarlyRestLate, long searched) {

    long of() {
      return Math.max(searched, Math.max(allLate, oneEarlyRestLate));
    }
  }

  @Test
  void worstCasesAreThoseOfTheReference() {
    Map<String, Worst> measured = new LinkedHashMap<>();
    measured.put("token bucket", worst("100/1m"));
    for (String estimate : List.of("even", "observed", "strict")) {
      for (int segments : Limits.SEGMENTS) {
        String counter =
            "100/1m;algorithm=sliding-window-counter;estimate=%s;segments=%d"
                .formatted(estimate, segments);
        measured.put("counter, %s, %d".formatted(estimate, segments), worst(counter));
      }
    }
    measured.put("log", worst("100/1m;algorithm=sliding-window-log"));
    measured.put("fixed window", worst("100/1m;algorithm=fixed-window"));

    List<String> rows = new ArrayList<>();
    rows.add("| limit 100 | all late | one early, the rest late | searched |");
    rows.add("|---|---|---|---|");
    measured.forEach(
        (name, worst) ->
            rows.add(
                "| %s | %d | %d | %d |"
                    .formatted(name, worst.allLate, worst.oneEarlyRestLate, worst.searched)));
    rows.forEach(System.out::println);

    measured.forEach((name, worst) -> assertThat(worst.of()).as(name).isEqualTo(proven(name)));
    ReferenceTable.assertHolds(rows);
  }

  private static long proven(String name) {
    if (name.contains("strict") || name.equals("log")) {
      return 100;
    }
    if (name.contains("observed")) {
      return 198;
    }
    return name.equals("fixed window") ? 200 : 199;
  }

  private static Worst worst(String text) {
    LimitSpec limit = LimitSpec.parse(text);
    long segment = MINUTE / limit.segments();
    long searched = 0;
    for (int seed = 0; seed < SEARCHED; seed++) {
      searched = Math.max(searched, searched(limit, new Random(seed)));
    }
    Adversary late = new Adversary(limit);
    late.spend(100, START + segment - 1);
    Adversary early = new Adversary(limit);
    early.spend(1, START);
    early.spend(99, START + segment - 1);
    return new Worst(late.spendAllUntil(MINUTE), early.spendAllUntil(MINUTE), searched);
  }

  /** Spends parts of the limit at edges of segments and a little before, then all there is. */
  private static long searched(LimitSpec limit, Random random) {
    Adversary adversary = new Adversary(limit);
    long segment = MINUTE / limit.segments();
    long now = START;
    for (int i = 0; i < 4; i++) {
      long there = (now / segment + random.nextInt(3)) * segment + random.nextLong(segment);
      now = Math.max(now, random.nextBoolean() ? there : (there / segment + 1) * segment - 1);
      adversary.spend(1 + random.nextInt(100), now);
    }
    return adversary.spendAllUntil(MINUTE);
  }

  /** A caller who takes what it can get, and counts the best minute. */
  private static final class Adversary {
    private final RateAlgorithm algorithm;
    private final List<long[]> admitted = new ArrayList<>();
    private long[] state;
    private long now;

    Adversary(LimitSpec limit) {
      this.algorithm = RateAlgorithm.of(limit);
      this.state = algorithm.newState();
    }

    void spend(long permits, long at) {
      now = at;
      long spent = Math.min(permits, algorithm.standing(state, now).remaining());
      if (spent > 0) {
        state = algorithm.charge(state, spent, now);
        admitted.add(new long[] {now, spent});
      }
    }

    /** Takes each permit the instant it comes, for that long; then counts. */
    long spendAllUntil(long spanMicros) {
      long end = now + spanMicros;
      for (long next = now;
          next < end;
          next = now + algorithm.standing(state, now).nextAfterMicros()) {
        spend(Long.MAX_VALUE, next);
      }
      long best = 0;
      for (long[] first : admitted) {
        long within =
            admitted.stream()
                .filter(one -> one[0] >= first[0] && one[0] < first[0] + MINUTE)
                .mapToLong(one -> one[1])
                .sum();
        best = Math.max(best, within);
      }
      return best;
    }
  }
}
