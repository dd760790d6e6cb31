package dev.comporta.server.http;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    List<Integer> told = told(limits, refusing);
    if (told.isEmpty()) {
      return Map.of();
    }
    Map<String, String> headers = new LinkedHashMap<>();
    if (dialects.contains(Dialect.LEGACY)) {
      addLegacy(headers, decided, refusing.orElseGet(() -> fewestRemaining(told, decided)));
    }
    if (dialects.contains(Dialect.IETF)) {
      addIetf(headers, limits, told, decided);
    }
    return headers;
  }

  /** Which of them are told, by their places: most applications have one limit, or two. */
  private static List<Integer> told(List<WireLimit> limits, OptionalInt refusing) {
    List<Integer> told = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      boolean refuses = refusing.isPresent() && refusing.getAsInt() == i;
      if (refuses || !limits.get(i).isForEveryone()) {
        told.add(i);
      }
    }
    return told;
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
      List<Integer> told,
      Verdict.Decided decided) {
    List<IetfFields.Quota> quotas = new ArrayList<>(told.size());
    for (int i : told) {
      Standing standing = decided.standings().get(i);
      quotas.add(
          new IetfFields.Quota(
              limits.get(i).item(),
              standing.limit(),
              Math.max(1, WholeSeconds.ceil(limits.get(i).windowMicros())),
              standing.remaining(),
              effectiveMicros(decided, i),
              dialects.contains(Dialect.HINTS) ? limits.get(i).hint() : Optional.empty()));
    }
    headers.put(IetfFields.POLICY, IetfFields.policy(quotas));
    headers.put(IetfFields.STATE, IetfFields.state(quotas));
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
    if (decided instanceof Verdict.Impossible impossible) {
      return OptionalInt.of(impossible.binding());
    }
    return OptionalInt.empty();
  }

  private static int fewestRemaining(List<Integer> told, Verdict.Decided decided) {
    int fewest = told.get(0);
    for (int i = 1; i < told.size(); i++) {
      if (remaining(decided, told.get(i)) < remaining(decided, fewest)) {
        fewest = told.get(i);
      }
    }
    return fewest;
  }

  private static long remaining(Verdict.Decided decided, int index) {
    return decided.standings().get(index).remaining();
  }
}
