package dev.comporta.server.algorithm;

import dev.comporta.server.policy.CalendarWindow;
import dev.comporta.server.policy.LimitSpec;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A limiter that keeps every admission and counts naively, in exact fractions. Time only rises. */
interface Oracle {

  /** Whether the cost fits now. */
  boolean admits(long cost, long nowMicros);

  /** Takes the cost. */
  void charge(long cost, long nowMicros);

  static Oracle of(LimitSpec limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> bucket(limit.permits(), limit.windowMicros(), limit.burst());
      case SLIDING_WINDOW_COUNTER -> new Counters(limit);
      case SLIDING_WINDOW_LOG -> new Log(limit);
      case FIXED_WINDOW -> new Fixed(limit);
    };
  }

  /** A bucket whose level is an exact fraction of permits. */
  static Oracle bucket(long permits, long windowMicros, long burst) {
    return new Oracle() {
      /** The level in units of 1/windowMicros permits, so that it is whole at every microsecond. */
      private BigInteger level = big(burst).multiply(big(windowMicros));

      private long last;

      private BigInteger levelAt(long nowMicros) {
        BigInteger refilled = level.add(big(nowMicros - last).multiply(big(permits)));
        return refilled.min(big(burst).multiply(big(windowMicros)));
      }

      @Override
      public boolean admits(long cost, long nowMicros) {
        return levelAt(nowMicros).compareTo(big(cost).multiply(big(windowMicros))) >= 0;
      }

      @Override
      public void charge(long cost, long nowMicros) {
        level = levelAt(nowMicros).subtract(big(cost).multiply(big(windowMicros)));
        last = nowMicros;
      }
    };
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  /** Every admission; those before the last three windows are kept and cannot matter. */
  abstract class Admissions implements Oracle {

    final LimitSpec limit;
    private final List<long[]> all = new ArrayList<>();

    Admissions(LimitSpec limit) {
      this.limit = limit;
    }

    List<long[]> lately(long nowMicros) {
      int from = all.size();
      while (from > 0 && all.get(from - 1)[0] > nowMicros - 3 * limit.windowMicros()) {
        from--;
      }
      return all.subList(from, all.size());
    }

    @Override
    public void charge(long cost, long nowMicros) {
      all.add(new long[] {nowMicros, cost});
    }
  }

  /** A log of the last window. */
  final class Log extends Admissions {

    Log(LimitSpec limit) {
      super(limit);
    }

    @Override
    public boolean admits(long cost, long nowMicros) {
      long counted =
          lately(nowMicros).stream()
              .filter(admission -> admission[0] > nowMicros - limit.windowMicros())
              .mapToLong(admission -> admission[1])
              .sum();
      return counted + cost <= limit.permits();
    }
  }

  /** A window since the epoch, or of the calendar. */
  final class Fixed extends Admissions {

    Fixed(LimitSpec limit) {
      super(limit);
    }

    @Override
    public boolean admits(long cost, long nowMicros) {
      Object present = name(nowMicros);
      long counted =
          lately(nowMicros).stream()
              .filter(admission -> name(admission[0]).equals(present))
              .mapToLong(admission -> admission[1])
              .sum();
      return counted + cost <= limit.permits();
    }

    private Object name(long micros) {
      if (!(limit.limitWindow() instanceof CalendarWindow calendar)) {
        return Math.floorDiv(micros, limit.windowMicros());
      }
      LocalDate date =
          LocalDate.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), calendar.zone());
      return switch (calendar.unit()) {
        case DAY -> date.toString();
        case WEEK ->
            date.get(IsoFields.WEEK_BASED_YEAR) + "-" + date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
        case MONTH -> date.getYear() + "-" + date.getMonth();
      };
    }
  }

  /** A weighted window that finds the segments among all admissions anew each time. */
  final class Counters extends Admissions {

    private final long segment;

    Counters(LimitSpec limit) {
      super(limit);
      this.segment = (limit.windowMicros() + limit.segments() - 1) / limit.segments();
    }

    @Override
    public boolean admits(long cost, long nowMicros) {
      TreeMap<Long, List<long[]>> bySegment = new TreeMap<>();
      for (long[] admission : lately(nowMicros)) {
        bySegment
            .computeIfAbsent(Math.floorDiv(admission[0], segment), number -> new ArrayList<>())
            .add(admission);
      }
      long x = nowMicros - limit.windowMicros();
      long whole = cost;
      BigInteger partOf = BigInteger.ZERO;
      long per = 1;
      for (var counter : bySegment.entrySet()) {
        long n = counter.getValue().stream().mapToLong(admission -> admission[1]).sum();
        long a = from(counter.getKey(), counter.getValue());
        long b = to(counter.getKey(), counter.getValue());
        if (x < a) {
          whole += n;
        } else if (x < b) {
          partOf = big(n).multiply(big(b - x));
          per = b - a;
        }
      }
      return partOf.compareTo(big(limit.permits() - whole).multiply(big(per))) <= 0;
    }

    private long from(long number, List<long[]> admissions) {
      return switch (limit.estimate()) {
        case EVEN -> number * segment;
        case OBSERVED -> admissions.get(0)[0];
        case STRICT -> admissions.get(admissions.size() - 1)[0];
      };
    }

    private long to(long number, List<long[]> admissions) {
      return switch (limit.estimate()) {
        case EVEN -> (number + 1) * segment;
        case OBSERVED, STRICT -> admissions.get(admissions.size() - 1)[0];
      };
    }
  }
}
