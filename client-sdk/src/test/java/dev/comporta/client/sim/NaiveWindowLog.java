package dev.comporta.client.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A server that remembers each request for a window, and tells that it does. */
final class NaiveWindowLog implements SimulatedServer {

  private final long limit;
  private final long windowMicros;
  private final Deque<Long> admitted = new ArrayDeque<>();

  NaiveWindowLog(long limit, long windowMicros) {
    this.limit = limit;
    this.windowMicros = windowMicros;
  }

  @Override
  public Response handle(long now) {
    while (!admitted.isEmpty() && admitted.getFirst() + windowMicros <= now) {
      admitted.removeFirst();
    }
    boolean isAdmitted = admitted.size() < limit;
    if (isAdmitted) {
      admitted.addLast(now);
    }
    long remaining = limit - admitted.size();
    long counted = remaining == 0 ? admitted.getFirst() : admitted.getLast();
    long reset = counted + windowMicros - now;
    Map<String, List<String>> headers = new LinkedHashMap<>();
    headers.put(
        "RateLimit-Policy",
        List.of(
            "\"p\";q=%d;w=%d;comporta-by=window-log"
                .formatted(limit, roundedUp(windowMicros, 1_000_000))));
    headers.put(
        "RateLimit",
        List.of(
            "\"p\";r=%d;t=%d;comporta-t=%d"
                .formatted(remaining, roundedUp(reset, 1_000_000), roundedUp(reset, 1_000))));
    if (!isAdmitted) {
      headers.put("Retry-After", List.of(String.valueOf(roundedUp(reset, 1_000_000))));
    }
    return new Response(isAdmitted ? 200 : 429, headers);
  }

  private static long roundedUp(long micros, long unit) {
    return (micros + unit - 1) / unit;
  }
}
