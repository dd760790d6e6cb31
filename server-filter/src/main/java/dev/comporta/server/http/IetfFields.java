package dev.comporta.server.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.OuterList;
import org.greenbytes.http.sfv.Parameters;
import org.greenbytes.http.sfv.StringItem;

/**
 * The syntax of {@code RateLimit-Policy} and {@code RateLimit}: structured-field Lists of Strings.
 * The draft still moves; all that would have to follow it is here.
 *
 * <p>Source: draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4; RFC 9651.
 */
final class IetfFields {

  static final String POLICY = "RateLimit-Policy";
  static final String STATE = "RateLimit";

  private IetfFields() {}

  /**
   * One limit, in the units of the fields.
   *
   * @param name a policy and its window
   * @param limit permits, {@code q}
   * @param windowSeconds at least 1, {@code w}
   * @param remaining permits, {@code r}
   * @param effectiveSeconds within which no more than {@code remaining} may be used, {@code t}
   */
  record Quota(
      String name, long limit, long windowSeconds, long remaining, long effectiveSeconds) {}

  static String policy(List<Quota> quotas) {
    return serialize(quotas, quota -> parameters("q", quota.limit(), "w", quota.windowSeconds()));
  }

  static String state(List<Quota> quotas) {
    return serialize(
        quotas, quota -> parameters("r", quota.remaining(), "t", quota.effectiveSeconds()));
  }

  private static String serialize(List<Quota> quotas, Function<Quota, Parameters> parameters) {
    List<ListElement<? extends Object>> items = new ArrayList<>(quotas.size());
    for (Quota quota : quotas) {
      items.add(StringItem.valueOf(quota.name()).withParams(parameters.apply(quota)));
    }
    return OuterList.valueOf(items).serialize();
  }

  private static Parameters parameters(String key, long value, String otherKey, long otherValue) {
    Map<String, Object> ordered = new LinkedHashMap<>();
    ordered.put(key, value);
    ordered.put(otherKey, otherValue);
    return Parameters.valueOf(ordered);
  }
}
