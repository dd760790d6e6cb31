package dev.comporta.server.config;

import dev.comporta.server.caller.ClientAddress;
import dev.comporta.server.config.StoreSettings.Engine;
import dev.comporta.server.config.StoreSettings.Kind;
import dev.comporta.server.config.StoreSettings.Redis;
import dev.comporta.server.config.StoreSettings.RedisAddress;
import dev.comporta.server.config.StoreSettings.RedisConfigFile;
import dev.comporta.server.config.StoreSettings.Refusals;
import dev.comporta.server.store.OnStoreFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads where usage is kept. */
final class StoreReader {

  private static final Duration DEFAULT_BUDGET = Duration.ofMillis(50);
  private static final Duration MAX_BUDGET = Duration.ofSeconds(10);
  private static final Duration DEFAULT_REFUSALS = Duration.ofSeconds(10);
  private static final Duration MAX_REFUSALS = Duration.ofDays(1);
  private static final Duration DEFAULT_CHANGES_PERIOD = Duration.ofSeconds(1);
  private static final Duration MIN_CHANGES_PERIOD = Duration.ofMillis(100);
  private static final Duration MAX_CHANGES_PERIOD = Duration.ofHours(1);
  private static final int DEFAULT_STATES = 100_000;
  private static final int MAX_STATES = 100_000_000;

  private static final int MAX_PORT = 65_535;

  /** Unlike {@link java.net.URI}, it takes host names with {@code _}, usual with Compose. */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "rediss?://([^/@\\[\\]\\s]*@)?(?:[^/@:\\[\\]\\s?#]+|(?<v6>\\[[^/@\\[\\]\\s]+]))"
              + ":(?<port>[0-9]{1,5})(/[0-9]*)?");

  private static final String ADDRESS_RULE =
      "must be redis://host:port or rediss://host:port, the host without any of /@:[] or an IPv6"
          + " address in brackets, the port 1 to 65535, was something else";

  private final Values values;

  StoreReader(Values values) {
    this.values = values;
  }

  StoreSettings read() {
    Kind kind = values.parsed(SettingKey.STORE.key(), Values.oneOf(Kind.class)).orElse(Kind.MEMORY);
    return new StoreSettings(
        kind,
        redis(kind),
        values
            .parsed(SettingKey.REDIS_ENGINE.key(), Values.oneOf(Engine.class))
            .orElse(Engine.SCRIPT),
        new Refusals(
            kept(SettingKey.REFUSAL_CACHE, DEFAULT_REFUSALS),
            kept(SettingKey.REFUSAL_CACHE_REFUNDABLE, Duration.ZERO)),
        values
            .parsed(SettingKey.CHANGES_PERIOD.key(), StoreReader::changesPeriod)
            .orElse(DEFAULT_CHANGES_PERIOD),
        values.parsed(SettingKey.STORE_BUDGET.key(), StoreReader::budget).orElse(DEFAULT_BUDGET),
        values
            .parsed(SettingKey.ON_STORE_FAILURE.key(), Values.oneOf(OnStoreFailure.class))
            .orElse(OnStoreFailure.LOCAL),
        values.number(SettingKey.LOCAL_SHARE_PERCENT, 100, 1, 100),
        values.number(SettingKey.MAXIMUM_STATES, DEFAULT_STATES, 1, MAX_STATES));
  }

  private Optional<Redis> redis(Kind kind) {
    String addressKey = SettingKey.REDIS_ADDRESS.key();
    String fileKey = SettingKey.REDIS_CONFIG_FILE.key();
    boolean hasAddress = values.text(addressKey).isPresent();
    boolean hasFile = values.text(fileKey).isPresent();
    if (hasAddress && hasFile) {
      values.fault(addressKey, "must not be set together with " + fileKey);
    }
    if (kind == Kind.REDIS && !hasAddress && !hasFile) {
      values.fault(
          SettingKey.STORE.key(),
          "'redis' needs " + addressKey + " or " + fileKey + ", was neither");
    }
    Optional<Redis> address = values.parsed(addressKey, StoreReader::address);
    Optional<Redis> file = values.parsed(fileKey, StoreReader::configFile);
    return address.or(() -> file);
  }

  /** The message does not tell the address: it may hold a password. */
  private static Redis address(String text) {
    Matcher matcher = ADDRESS.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(ADDRESS_RULE);
    }
    String bracketed = matcher.group("v6");
    int port = Integer.parseInt(matcher.group("port"));
    boolean isHost = bracketed == null || ClientAddress.parse(bracketed).isPresent();
    if (!isHost || port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(ADDRESS_RULE);
    }
    return new RedisAddress(text);
  }

  private static Redis configFile(String text) {
    Path path = Path.of(text);
    if (!Files.isReadable(path) || Files.isDirectory(path)) {
      throw new IllegalArgumentException("must be a file that can be read, was '" + text + "'");
    }
    return new RedisConfigFile(path);
  }

  private Duration kept(SettingKey setting, Duration fallback) {
    return values.parsed(setting.key(), StoreReader::kept).orElse(fallback);
  }

  private static Duration kept(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    return Durations.parse(text)
        .filter(some -> some.compareTo(MAX_REFUSALS) <= 0)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "must be 0 to 1d, such as 10s (units ms, s, m, h, d), was '" + text + "'"));
  }

  private static Duration changesPeriod(String text) {
    return Durations.parse(text)
        .filter(
            some ->
                some.compareTo(MIN_CHANGES_PERIOD) >= 0 && some.compareTo(MAX_CHANGES_PERIOD) <= 0)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "must be 100ms to 1h, such as 1s (units ms, s, m, h), was '" + text + "'"));
  }

  private static Duration budget(String text) {
    Optional<Duration> budget =
        Durations.parse(text).filter(some -> !some.isZero() && some.compareTo(MAX_BUDGET) <= 0);
    if (budget.isPresent()) {
      return budget.get();
    }
    throw new IllegalArgumentException(
        "must be 1ms to 10s, such as 50ms (units ms, s, m), was '" + text + "'");
  }
}
