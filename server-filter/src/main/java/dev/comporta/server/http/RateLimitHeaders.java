package dev.comporta.server.http;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.store.Verdict;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The headers that tell a caller where it stands, in the chosen dialects. Immutable and
 * thread-safe.
 *
 * <p>The three legacy headers tell one limit, the binding one: on a refusal the limit that asks to
 * wait longest, otherwise the one with the fewest remaining. Limits for everyone are told only when
 * they refuse: what others use is no business of this caller.
 */
public final class RateLimitHeaders {

  private static final String LIMIT = "X-RateLimit-Limit";
  private static final String REMAINING = "X-RateLimit-Remaining";
  private static final String RESET = "X-RateLimit-Reset";

  private final Set<Dialect> dialects;

  /** Headers in these dialects; in none, if there are none. */
  public RateLimitHeaders(Collection<Dialect> dialects) {
    this.dialects = EnumSet.noneOf(Dialect.class);
    this.dialects.addAll(dialects);
  }

  /**
   * Names and values, in the order in which they are sent. Empty when there is nothing to tell: no
   * store decided, or every limit that was asked is for everyone.
   *
   * @param limits those of the request, in the order of the standings of the verdict
   */
  public Map<String, String> of(List<WireLimit> limits, Verdict verdict) {
    if (!(verdict instanceof Verdict.Decided decided)) {
      return Map.of();
    }
    OptionalInt refusing = refusing(decided);
    OptionalInt binding = refusing.isPresent() ? refusing : fewestRemaining(limits, decided);
    if (binding.isEmpty()) {
      return Map.of();
    }
    Map<String, String> headers = new LinkedHashMap<>();
    if (dialects.contains(Dialect.LEGACY)) {
      addLegacy(headers, decided, binding.getAsInt());
    }
    if (dialects.contains(Dialect.IETF)) {
      addIetf(headers, limits, decided, refusing);
    }
    return headers;
  }

  private static void addLegacy(Map<String, String> headers, Verdict.Decided decided, int binding) {
    Standing standing = decided.standings().get(binding);
    long resetAtMicros = decided.nowMicros() + standing.resetAfterMicros();
    headers.put(LIMIT, Long.toString(standing.limit()));
    headers.put(REMAINING, Long.toString(standing.remaining()));
    headers.put(RESET, Long.toString(WholeSeconds.ceil(resetAtMicros)));
  }

  private void addIetf(
      Map<String, String> headers,
      List<WireLimit> limits,
      Verdict.Decided decided,
      OptionalInt refusing) {
    IetfFields fields = new IetfFields(dialects.contains(Dialect.HINTS));
    for (int i = 0; i < limits.size(); i++) {
      if (isTold(limits.get(i), i, refusing)) {
        fields.add(limits.get(i), decided.standings().get(i), effectiveMicros(decided, i));
      }
    }
    headers.put(IetfFields.POLICY, fields.policy());
    headers.put(IetfFields.STATE, fields.state());
  }

  private static boolean isTold(WireLimit limit, int index, OptionalInt refusing) {
    boolean refuses = refusing.isPresent() && refusing.getAsInt() == index;
    return refuses || !limit.isForEveryone();
  }

  /** At least 1 on a refusal, which in seconds is what {@code Retry-After} tells. */
  private static long effectiveMicros(Verdict.Decided decided, int index) {
    if (decided instanceof Verdict.Refused refused && refused.binding() == index) {
      return Math.max(1, refused.retryAfterMicros());
    }
    Standing standing = decided.standings().get(index);
    return standing.remaining() > 0 ? standing.resetAfterMicros() : standing.nextAfterMicros();
  }

  private static OptionalInt refusing(Verdict.Decided decided) {
    if (decided instanceof Verdict.Refused refused) {
      return OptionalInt.of(refused.binding());
    }
    return decided instanceof Verdict.Impossible impossible
        ? OptionalInt.of(impossible.binding())
        : OptionalInt.empty();
  }

  /** Of those that are told where none refuses, the first with the fewest. */
  private static OptionalInt fewestRemaining(List<WireLimit> limits, Verdict.Decided decided) {
    OptionalInt fewest = OptionalInt.empty();
    for (int i = 0; i < limits.size(); i++) {
      boolean isFewer =
          fewest.isEmpty() || remaining(decided, i) < remaining(decided, fewest.getAsInt());
      if (isFewer && !limits.get(i).isForEveryone()) {
        fewest = OptionalInt.of(i);
      }
    }
    return fewest;
  }

  private static long remaining(Verdict.Decided decided, int index) {
    return decided.standings().get(index).remaining();
  }
}
