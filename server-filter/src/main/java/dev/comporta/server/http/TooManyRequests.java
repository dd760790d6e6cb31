package dev.comporta.server.http;

import dev.comporta.server.store.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * 429: a limit did not pass. Never to be kept by a cache (RFC 6585, section 4), so it says so.
 *
 * <pre>{@code
 * {"error":"Too Many Requests","message":"Too many requests. Try again in 60 seconds.",
 *  "retryAfter":60,"policy":"search-1m"}
 * }</pre>
 */
public final class TooManyRequests {

  private static final int STATUS = 429;
  private static final String REASON = "Too Many Requests";

  private TooManyRequests() {}

  /** The answer to a request that passes later. */
  public static Refusal of(List<WireLimit> limits, Verdict.Refused verdict) {
    long seconds = RetryAfter.seconds(verdict.retryAfterMicros());
    String body =
        new JsonObject()
            .with("error", REASON)
            .with("message", "Too many requests. " + JsonObject.tryAgainIn(seconds))
            .with("retryAfter", seconds)
            .with("policy", limits.get(verdict.binding()).name())
            .toString();
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(RetryAfter.HEADER, Long.toString(seconds));
    headers.put("Cache-Control", "no-store");
    return new Refusal(STATUS, headers, body);
  }

  /** The answer to a request that never passes: it names no time to try again. */
  public static Refusal of(List<WireLimit> limits, Verdict.Impossible verdict) {
    String body =
        new JsonObject()
            .with("error", REASON)
            .with("message", "This request costs more than its limit: it can never pass.")
            .with("policy", limits.get(verdict.binding()).name())
            .toString();
    return new Refusal(STATUS, Map.of("Cache-Control", "no-store"), body);
  }
}
