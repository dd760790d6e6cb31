package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.policy.LimitSpec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * How often the estimates of the weighted window decide otherwise than an exact log would, on
 * seeded traffic of the kinds that occur, as the reference tells it.
 */
class EstimatesAgainstLogTest {

  private static final long SECOND = 1_000_000;
  private static final int SEEDS = 12;
  private static final int REQUESTS = 1_500;
  private static final List<String> LIMITS = List.of("10/10s", "60/1m", "300/5m");

  /** What the traffic looks like; its mean is somewhat above the limit. */
  private enum Traffic {
    /** Requests that know nothing of each other. */
    POISSON {
      @Override
      long gap(Random random, long even, int number) {
        return exponential(random, even / 1.2);
      }
    },
    /** Pages that ask for many things at once, and a reader between them. */
    BURSTY {
      @Override
      long gap(Random random, long even, int number) {
        return number % 8 != 0 ? exponential(random, even / 20.0) : exponential(random, even * 6.0);
      }
    },
    /** A worker that runs flat out for a while, then rests. */
    ON_OFF {
      @Override
      long gap(Random random, long even, int number) {
        return number % 60 != 0
            ? exponential(random, even / 3.0)
            : exponential(random, even * 40.0);
      }
    },
    /** A job that starts with the minute and sends a batch. */
    CRON {
      @Override
      long gap(Random random, long even, int number) {
        return number % 40 != 0 ? even / 50 + random.nextInt(1_000) : UNTIL_THE_MINUTE;
      }
    };

    static final long UNTIL_THE_MINUTE = -1;

    /** Until the next request, where even is what the limit sustains. */
    abstract long gap(Random random, long even, int number);

    private static long exponential(Random random, double mean) {
      return (long) (-mean * Math.log(1 - random.nextDouble()));
    }

    List<Long> instants(LimitSpec limit, long seed) {
      Random random = new Random(seed);
      long even = limit.windowMicros() / limit.permits();
      long now = Trace.TODAY_MICROS + random.nextLong(limit.windowMicros());
      List<Long> instants = new ArrayList<>(REQUESTS);
      for (int number = 1; number <= REQUESTS; number++) {
        long gap = gap(random, even, number);
        now = gap == UNTIL_THE_MINUTE ? nextMinute(now) + random.nextInt(1_000_000) : now + gap;
        instants.add(now);
      }
      return instants;
    }

    private static long nextMinute(long now) {
      return (now / (60 * SECOND) + 1) * 60 * SECOND;
    }
  }

  @Test
  void observedDiffersNoMoreFromTheLogThanEvenDoes() {
    List<String> rows = new ArrayList<>();
    rows.add("| traffic | segments | even | observed | strict |");
    rows.add("|---|---|---|---|---|");
    for (Traffic traffic : Traffic.values()) {
      for (int segments : Limits.SEGMENTS) {
        Map<Estimate, Double> shares = new EnumMap<>(Estimate.class);
        for (Estimate estimate : Estimate.values()) {
          shares.put(estimate, differingPercent(traffic, estimate, segments));
        }
        rows.add(row(traffic, segments, shares));
        assertThat(shares.get(Estimate.OBSERVED))
            .as("%s, %d segments", traffic, segments)
            .isLessThanOrEqualTo(shares.get(Estimate.EVEN));
      }
    }
    rows.forEach(System.out::println);

    ReferenceTable.assertHolds(rows);
  }

  private static String row(Traffic traffic, int segments, Map<Estimate, Double> shares) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.2f %% | %.2f %% | %.2f %% |",
        traffic.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        segments,
        shares.get(Estimate.EVEN),
        shares.get(Estimate.OBSERVED),
        shares.get(Estimate.STRICT));
  }

  /** Each decides by what it admitted itself. */
  private static double differingPercent(Traffic traffic, Estimate estimate, int segments) {
    long asked = 0;
    long differ = 0;
    for (String text : LIMITS) {
      LimitSpec counter =
          LimitSpec.parse(text, Algorithm.SLIDING_WINDOW_COUNTER).estimatedBy(estimate, segments);
      LimitSpec log = LimitSpec.parse(text, Algorithm.SLIDING_WINDOW_LOG);
      for (int seed = 0; seed < SEEDS; seed++) {
        List<Long> instants = traffic.instants(log, seed);
        List<Boolean> estimated = verdicts(counter, instants);
        List<Boolean> exact = verdicts(log, instants);
        for (int i = 0; i < exact.size(); i++) {
          asked++;
          differ += estimated.get(i).equals(exact.get(i)) ? 0 : 1;
        }
      }
    }
    return 100.0 * differ / asked;
  }

  private static List<Boolean> verdicts(LimitSpec limit, List<Long> instants) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);
    long[] state = algorithm.newState();
    List<Boolean> verdicts = new ArrayList<>(instants.size());
    for (long now : instants) {
      boolean isAllowed = algorithm.decide(state, 1, now) instanceof Decision.Allowed;
      state = isAllowed ? algorithm.charge(state, 1, now) : state;
      verdicts.add(isAllowed);
    }
    return verdicts;
  }
}
