package dev.comporta.server.config;

import dev.comporta.server.caller.CallerList;
import dev.comporta.server.caller.UnknownCaller;
import dev.comporta.server.policy.ConfiguredPolicies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the settings that may change while the application runs, but for the policies. */
final class LiveReader {

  private static final int DEFAULT_NEAR_LIMIT = 80;
  private static final Duration DEFAULT_RELOAD = Duration.ofSeconds(30);
  private static final Duration MIN_RELOAD = Duration.ofSeconds(1);
  private static final Duration MAX_RELOAD = Duration.ofDays(1);

  private final Values values;

  LiveReader(Values values) {
    this.values = values;
  }

  LiveSettings read(ConfiguredPolicies policies) {
    return new LiveSettings(
        policies,
        access(),
        values.number(SettingKey.NEAR_LIMIT_PERCENT, DEFAULT_NEAR_LIMIT, 1, 100),
        values.number(SettingKey.RETRY_AFTER_JITTER_PERCENT, 0, 0, 100),
        values
            .parsed(SettingKey.RELOAD_EVERY.key(), LiveReader::period)
            .orElse(Optional.of(DEFAULT_RELOAD)));
  }

  private AccessSettings access() {
    List<String> allow = values.parsedList(SettingKey.ALLOW.key(), LiveReader::listed);
    List<String> block = values.parsedList(SettingKey.BLOCK.key(), LiveReader::listed);
    List<String> both = new ArrayList<>(block);
    both.retainAll(allow);
    if (!both.isEmpty()) {
      values.fault(
          SettingKey.BLOCK.key(),
          "must not have what " + SettingKey.ALLOW.key() + " has, was '" + both.get(0) + "'");
    }
    return new AccessSettings(
        allow,
        block,
        values
            .parsed(SettingKey.UNKNOWN_CALLER.key(), Values.oneOf(UnknownCaller.class))
            .orElse(UnknownCaller.DENY));
  }

  /** Checks one element; they are put together once all are known. */
  private static String listed(String text) {
    CallerList.of(List.of(text));
    return text;
  }

  private static Optional<Duration> period(String text) {
    if (text.equals("0")) {
      return Optional.empty();
    }
    Optional<Duration> period =
        Durations.parse(text)
            .filter(some -> some.compareTo(MIN_RELOAD) >= 0 && some.compareTo(MAX_RELOAD) <= 0);
    if (period.isEmpty()) {
      throw new IllegalArgumentException(
          "must be 0 or 1s to 1d, such as 30s (units ms, s, m, h, d), was '" + text + "'");
    }
    return period;
  }
}
