package dev.comporta.server.http;

import dev.comporta.server.store.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * 503: no store could decide, and the application has chosen to refuse then. Not a 429, since the
 * caller has done nothing wrong.
 */
public final class ServiceUnavailable {

  private static final int STATUS = 503;

  private ServiceUnavailable() {}

  /** The answer to a request that nobody could decide. */
  public static Refusal of(Verdict.Unavailable verdict) {
    long seconds = RetryAfter.seconds(verdict.retryAfterMicros());
    String body =
        new JsonObject()
            .with("error", "Service Unavailable")
            .with("message", "The limits cannot be checked now. " + JsonObject.tryAgainIn(seconds))
            .with("retryAfter", seconds)
            .toString();
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(RetryAfter.HEADER, Long.toString(seconds));
    headers.put("Cache-Control", "no-store");
    return new Refusal(STATUS, headers, body);
  }
}
