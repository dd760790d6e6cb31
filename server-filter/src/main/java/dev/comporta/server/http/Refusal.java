package dev.comporta.server.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The answer to a request that is not let through.
 *
 * @param status 429 or 503
 * @param headers names and values beside those that tell quotas, in the order in which they are
 *     sent
 * @param body JSON, to be sent in UTF-8
 */
public record Refusal(int status, Map<String, String> headers, String body) {

  /** What the body is. JSON is UTF-8 by definition, so no charset is named. */
  public static final String MEDIA_TYPE = "application/json";

  /** Copies what it is given. */
  public Refusal {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }
}
