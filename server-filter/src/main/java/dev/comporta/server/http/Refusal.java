package dev.comporta.server.http;

import dev.comporta.server.api.RefusalBody;
import dev.comporta.server.store.Verdict;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * That a request is not let through, and why. Immutable.
 *
 * @param kind why
 * @param limit the name of the limit that refuses, as the wire tells it; empty if none does
 * @param retryAfterSeconds when it makes sense to ask again, at least 1; empty if it never does
 */
public record Refusal(RefusalKind kind, Optional<String> limit, OptionalLong retryAfterSeconds) {

  /** Checks that the kind has what is given, and not more. */
  public Refusal {
    if (kind.hasLimit() != limit.isPresent()) {
      throw new IllegalArgumentException(
          (kind.hasLimit() ? "a limit must be named by " : "no limit may be named by ") + kind);
    }
    if (kind.hasTime() != retryAfterSeconds.isPresent()) {
      throw new IllegalArgumentException(
          (kind.hasTime() ? "a time must be told by " : "no time may be told by ") + kind);
    }
    retryAfterSeconds.ifPresent(Refusal::checkSeconds);
  }

  /**
   * What that verdict refuses with; empty if the request passes.
   *
   * @param limits those of the request, in the order of the standings of the verdict
   */
  public static Optional<Refusal> of(List<WireLimit> limits, Verdict verdict) {
    if (verdict instanceof Verdict.Refused refused) {
      return Optional.of(
          overLimit(limits.get(refused.binding()).name(), refused.retryAfterMicros()));
    }
    if (verdict instanceof Verdict.Impossible impossible) {
      return Optional.of(neverPasses(limits.get(impossible.binding()).name()));
    }
    if (verdict instanceof Verdict.Unavailable unavailable) {
      return Optional.of(notChecked(unavailable.retryAfterMicros()));
    }
    return Optional.empty();
  }

  /** This limit did not pass; the request passes after so long. */
  public static Refusal overLimit(String limit, long retryAfterMicros) {
    return new Refusal(RefusalKind.OVER_LIMIT, Optional.of(limit), seconds(retryAfterMicros));
  }

  /** The request costs more than this limit can ever have. */
  public static Refusal neverPasses(String limit) {
    return new Refusal(RefusalKind.NEVER_PASSES, Optional.of(limit), OptionalLong.empty());
  }

  /** No store could decide; it makes sense to ask again after so long. */
  public static Refusal notChecked(long retryAfterMicros) {
    return new Refusal(RefusalKind.NOT_CHECKED, Optional.empty(), seconds(retryAfterMicros));
  }

  /** The caller is blocked for so long. */
  public static Refusal blockedFor(long micros) {
    return new Refusal(RefusalKind.BLOCKED_FOR_NOW, Optional.empty(), seconds(micros));
  }

  /** The caller is blocked, and no end is set. */
  public static Refusal blocked() {
    return new Refusal(RefusalKind.BLOCKED, Optional.empty(), OptionalLong.empty());
  }

  /** A limit needs to know the caller, and nobody can tell it. */
  public static Refusal callerUnknown() {
    return new Refusal(RefusalKind.CALLER_UNKNOWN, Optional.empty(), OptionalLong.empty());
  }

  /**
   * The same, with the time that this jitter makes of its own. Header and body both tell that time,
   * so they agree.
   *
   * @param random any long, each as likely as any other
   */
  public Refusal with(RetryAfterJitter jitter, long random) {
    if (retryAfterSeconds.isEmpty()) {
      return this;
    }
    long seconds = jitter.apply(retryAfterSeconds.getAsLong(), random);
    return new Refusal(kind, limit, OptionalLong.of(seconds));
  }

  /** The status code of the answer. */
  public int status() {
    return kind.status();
  }

  /**
   * Names and values that every answer to this refusal has, whoever writes its body, in the order
   * in which they are sent. Those that tell quotas are not among them.
   *
   * <p>A cache must not keep a 429 (RFC 6585, section 4), nor a 403 or 503 of ours: the next caller
   * may be another one.
   */
  public Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    retryAfterSeconds.ifPresent(seconds -> headers.put(RetryAfter.HEADER, Long.toString(seconds)));
    headers.put("Cache-Control", "no-store");
    return Collections.unmodifiableMap(headers);
  }

  /** The same, as an application is asked for its own body. */
  public RefusalBody.Refusal toApplication() {
    Optional<Duration> retryAfter =
        retryAfterSeconds.isPresent()
            ? Optional.of(Duration.ofSeconds(retryAfterSeconds.getAsLong()))
            : Optional.empty();
    return new RefusalBody.Refusal(status(), limit, retryAfter);
  }

  private static OptionalLong seconds(long micros) {
    return OptionalLong.of(RetryAfter.seconds(micros));
  }

  private static void checkSeconds(long seconds) {
    if (seconds < 1) {
      throw new IllegalArgumentException("retryAfterSeconds must be > 0, was " + seconds);
    }
  }
}
