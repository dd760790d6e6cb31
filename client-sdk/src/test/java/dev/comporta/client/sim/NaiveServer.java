package dev.comporta.client.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A server with one or more limits, all or nothing, that tells them in one of two dialects. */
final class NaiveServer implements SimulatedServer {

  /** How the limits are told. */
  enum Dialect {
    /** {@code RateLimit} and {@code RateLimit-Policy}: every window, with its length. */
    IETF,
    /** {@code X-RateLimit-*}: the tightest window, without its length. */
    LEGACY
  }

  private final List<NaiveLimit> limits;
  private final Dialect dialect;

  NaiveServer(List<NaiveLimit> limits, Dialect dialect) {
    this.limits = limits;
    this.dialect = dialect;
  }

  @Override
  public Response handle(long now) {
    boolean isAdmitted = limits.stream().allMatch(limit -> limit.fits(now));
    if (isAdmitted) {
      limits.forEach(limit -> limit.take(now));
    }
    Map<String, List<String>> headers = new LinkedHashMap<>();
    if (!isAdmitted) {
      long wait =
          limits.stream()
              .filter(limit -> !limit.fits(now))
              .mapToLong(limit -> limit.retryAfterMicros(now))
              .max()
              .orElseThrow();
      headers.put("Retry-After", List.of(String.valueOf(Math.max(1, seconds(wait)))));
    }
    if (dialect == Dialect.IETF) {
      ietf(headers, now);
    } else {
      legacy(headers, now);
    }
    return new Response(isAdmitted ? 200 : 429, headers);
  }

  private void ietf(Map<String, List<String>> headers, long now) {
    List<String> policies = new ArrayList<>();
    List<String> states = new ArrayList<>();
    for (NaiveLimit limit : limits) {
      long remaining = limit.remaining(now);
      long reset = remaining == 0 ? limit.retryAfterMicros(now) : limit.wholeAfterMicros(now);
      String name = "\"l%d\"".formatted(limit.limit());
      policies.add("%s;q=%d;w=%d".formatted(name, limit.limit(), seconds(limit.windowMicros())));
      states.add("%s;r=%d;t=%d".formatted(name, remaining, seconds(reset)));
    }
    headers.put("RateLimit-Policy", List.of(String.join(", ", policies)));
    headers.put("RateLimit", List.of(String.join(", ", states)));
  }

  private void legacy(Map<String, List<String>> headers, long now) {
    NaiveLimit tightest =
        limits.stream().min(Comparator.comparingLong(limit -> limit.remaining(now))).orElseThrow();
    long whole = Simulation.EPOCH_MICROS + now + tightest.wholeAfterMicros(now);
    headers.put("X-RateLimit-Limit", List.of(String.valueOf(tightest.limit())));
    headers.put("X-RateLimit-Remaining", List.of(String.valueOf(tightest.remaining(now))));
    headers.put("X-RateLimit-Reset", List.of(String.valueOf(seconds(whole))));
  }

  private static long seconds(long micros) {
    return (micros + 999_999) / 1_000_000;
  }
}
