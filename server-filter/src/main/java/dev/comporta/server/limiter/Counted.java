package dev.comporta.server.limiter;

import dev.comporta.server.api.By;
import dev.comporta.server.api.Caller;
import dev.comporta.server.caller.RequestCallers;
import dev.comporta.server.policy.LimitSpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whom each limit of one request counts. Each identifier is asked once. */
final class Counted {

  private final CallerKeys keys;
  private final ApplicationObjects objects;
  private final RequestCallers callers;
  private @Nullable Caller last; // whose key was asked for last: most requests have one caller
  private String lastStart = "";

  Counted(CallerKeys keys, ApplicationObjects objects, RequestCallers callers) {
    this.keys = keys;
    this.objects = objects;
    this.callers = callers;
  }

  /** Who sent the request. */
  RequestCallers callers() {
    return callers;
  }

  /** Whom that limit counts; nobody if it counts everyone, or if nobody can be told. */
  Optional<Caller> caller(LimitSpec limit) {
    if (limit.keyedBy().isPresent()) {
      return callers.keyedBy(objects.identifier(limit.keyedBy().get()));
    }
    return switch (limit.by()) {
      case CALLER -> callers.caller();
      case ADDRESS -> callers.address();
      case EVERYONE -> Optional.empty();
    };
  }

  /** Whether it can be told whom that limit counts. */
  boolean isKnown(LimitSpec limit) {
    return isEveryone(limit) || caller(limit).isPresent();
  }

  /** What the key of that limit begins with; it must be known whom it counts. */
  String keyStart(LimitSpec limit) {
    if (isEveryone(limit)) {
      return keys.everyone();
    }
    Caller caller = caller(limit).orElseThrow();
    if (!caller.equals(last)) {
      lastStart = keys.of(caller);
      last = caller;
    }
    return lastStart;
  }

  /** Whether that limit counts everyone together. */
  static boolean isEveryone(LimitSpec limit) {
    return limit.keyedBy().isEmpty() && limit.by() == By.EVERYONE;
  }
}
