package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.api.Limit;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A {@link Limit}, written as the grammar of limits writes it, so that one parser checks whatever
 * an annotation or a setting says. {@link Limit#keyedBy()} is a class and has no text.
 */
final class AnnotatedLimit {

  private final Limit limit;
  private final Set<String> stated;
  private final StringBuilder text;

  private AnnotatedLimit(Limit limit) {
    this.limit = limit;
    this.stated = LimitText.parametersOf(limit.value());
    this.text = new StringBuilder(limit.value().strip());
  }

  /**
   * The limit that it states.
   *
   * @param zone that of a calendar window which names none
   * @throws IllegalArgumentException if it is not valid; the message names the rule and the value
   */
  static LimitSpec spec(Limit limit, ZoneId zone) {
    Optional<Class<? extends CallerIdentifier>> keyedBy =
        NamedClass.of("keyedBy", limit.keyedBy(), CallerIdentifier.class);
    boolean saysBy =
        limit.by() != By.CALLER || LimitText.parametersOf(limit.value()).contains("by");
    if (keyedBy.isPresent() && saysBy) {
      throw new IllegalArgumentException(
          "keyedBy and by must not stand together, was " + keyedBy.get().getName() + " with by");
    }
    LimitSpec spec = LimitSpec.parse(LimitText.withZone(text(limit), zone));
    return keyedBy.map(type -> CountedFor.keyedBy(type).applyTo(spec)).orElse(spec);
  }

  /**
   * The text: {@code 100/1m;burst=20}.
   *
   * @throws IllegalArgumentException if a member and the text state the same parameter
   */
  static String text(Limit limit) {
    return new AnnotatedLimit(limit).composed();
  }

  private String composed() {
    put("algorithm", spelling(limit.algorithm()), limit.algorithm() != Algorithm.TOKEN_BUCKET);
    put("burst", String.valueOf(limit.burst()), limit.burst() != 0);
    put("by", spelling(limit.by()), limit.by() != By.CALLER);
    put("estimate", spelling(limit.estimate()), limit.estimate() != Estimate.EVEN);
    put("segments", String.valueOf(limit.segments()), limit.segments() != 1);
    put("zone", limit.zone(), !limit.zone().isEmpty());
    if (limit.shadow()) {
      requireOnce("shadow");
      text.append(";shadow");
    }
    return text.toString();
  }

  private void put(String parameter, String value, boolean isSet) {
    if (isSet) {
      requireOnce(parameter);
      text.append(';').append(parameter).append('=').append(value);
    }
  }

  private void requireOnce(String parameter) {
    if (stated.contains(parameter)) {
      throw new IllegalArgumentException(
          parameter
              + " must be stated once, was in the text '"
              + limit.value()
              + "' and as a member");
    }
  }

  private static String spelling(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
