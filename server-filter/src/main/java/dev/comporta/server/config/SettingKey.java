package dev.comporta.server.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Every setting: its key, its default, and what it means. A part in angle brackets is a name that
 * the application gives: letters, digits, {@code -} and {@code _}, 64 at most.
 *
 * <p>This is the one place where settings are documented; the reference is checked against it.
 * Lists are separated by commas. Each setting can be given as an environment variable too, in
 * capitals with {@code _} for every other sign. The names of API keys and tiers may then be known
 * from variables alone, in small letters: {@code COMPORTA_API_KEYS_PARTNER_SHA256} names the key
 * {@code partner}, {@code COMPORTA_TIERS_GOLD_ROLES} and {@code
 * COMPORTA_POLICIES_SEARCH_TIERS_GOLD_LIMITS} the tier {@code gold}. The names of policies are
 * known from annotations and from dotted keys only.
 */
public enum SettingKey {
  /** Keeps the application apart from others that share one Redis. */
  NAMESPACE(
      "comporta.namespace",
      "the name of the application",
      "Keeps the application apart from others that share one Redis: letters, digits, '-', '_' and"
          + " '.', 64 at most."),

  /** Where usage is kept. */
  STORE("comporta.store", "memory", "Where usage is kept: 'memory', each node alone, or 'redis'."),

  /** Where Redis is. */
  REDIS_ADDRESS(
      "comporta.redis.address",
      "",
      "Where Redis is, redis://host:port or rediss://host:port; not together with"
          + " comporta.redis.config-file."),

  /** Where the configuration file of Redisson is. */
  REDIS_CONFIG_FILE(
      "comporta.redis.config-file",
      "",
      "A Redisson YAML file, for sentinel, cluster, TLS and passwords; not together with"
          + " comporta.redis.address."),

  /** How usage is counted in Redis. */
  REDIS_ENGINE(
      "comporta.redis.engine",
      "script",
      "How usage is counted in Redis: 'script', by anything that a policy may say; 'rate-limiter',"
          + " by the RRateLimiter of Redisson, one limit per policy, a sliding-window-log."),

  /** How long a node repeats a refusal. */
  REFUSAL_CACHE(
      "comporta.redis.refusal-cache",
      "10s",
      "For how long at most a node repeats by itself that a caller is refused, never beyond the"
          + " instant that Redis named; a reset or grant by another node acts within that. 0 to 1d;"
          + " 0 is never."),

  /** How long a node repeats a refusal where permits may come back. */
  REFUSAL_CACHE_REFUNDABLE(
      "comporta.redis.refusal-cache-refundable",
      "0",
      "The same where permits may come back early, as with charge=failures or with costs that are"
          + " settled; a refund by another node acts within that. 0 to 1d; 0 is never."),

  /** How often a node looks for changes by others. */
  CHANGES_PERIOD(
      "comporta.redis.changes-period",
      "1s",
      "How often a node looks in Redis, while requests come, for what RateLimits has changed on"
          + " another: limits and blocks. 100ms to 1h."),

  /** How long a decision may wait for the store. */
  STORE_BUDGET(
      "comporta.store-budget",
      "50ms",
      "How long a decision may wait for the store before comporta.on-store-failure decides, 1ms to"
          + " 10s."),

  /** What decides when the store does not. */
  ON_STORE_FAILURE(
      "comporta.on-store-failure",
      "local",
      "What decides when the store fails or is late: 'local', this node with its share of each"
          + " limit; 'allow', everything passes; 'deny', 503."),

  /** The share of each limit that a node grants by itself. */
  LOCAL_SHARE_PERCENT(
      "comporta.local-share-percent",
      "100",
      "The share of each limit that one node grants by itself while the store fails, 1 to 100."),

  /** How many states the memory store may hold. */
  MAXIMUM_STATES(
      "comporta.memory.maximum-states",
      "100000",
      "How many states, one per caller and limit, a node may hold in memory, 1 to 100000000."),

  /** The families of headers. */
  HEADERS(
      "comporta.headers",
      "legacy,ietf",
      "The rate limit headers to send: 'legacy' (X-RateLimit-*), 'ietf' (RateLimit,"
          + " RateLimit-Policy), or both; 'hints' adds to 'ietf' how limits count, and their times"
          + " in milliseconds."),

  /** The proxies whose forwarding headers are believed. */
  TRUSTED_PROXIES(
      "comporta.trusted-proxies",
      "",
      "Addresses and networks of the proxies whose forwarding headers are believed:"
          + " 10.0.0.0/8,2001:db8::/32."),

  /** The header that trusted proxies write. */
  FORWARDING_HEADER(
      "comporta.forwarding-header",
      "any",
      "The header that trusted proxies write: 'forwarded', 'x-forwarded-for', or 'any' of the two."
          + " With 'any', a request that has both, naming different clients, counts for the proxy."),

  /** How many bits of an IPv6 address make one caller. */
  IPV6_PREFIX(
      "comporta.ipv6-prefix",
      "64",
      "How many leading bits of an IPv6 address make one caller, 32 to 128."),

  /** The header that carries an API key. */
  API_KEY_HEADER("comporta.api-keys.header", "X-API-Key", "The header that carries an API key."),

  /** The hash of an API key. */
  API_KEY_SHA256(
      "comporta.api-keys.<name>.sha256",
      "",
      "The SHA-256 of an API key that is recognised, 64 hexadecimal digits."),

  /** The tier of an API key. */
  API_KEY_TIER("comporta.api-keys.<name>.tier", "", "The tier of whoever sends that API key."),

  /** The roles of a tier. */
  TIER_ROLES(
      "comporta.tiers.<tier>.roles",
      "",
      "Roles, any of which puts an authenticated caller into the tier; of several tiers the first by"
          + " name."),

  /** The key with which identities are hashed. */
  IDENTITY_SECRET(
      "comporta.identity.secret",
      "",
      "Hashes the identities of callers with this key (HMAC), so that nobody who reads the store can"
          + " find them by trying; at least 16 characters, the same on all nodes."),

  /** Whether limits refuse. */
  MODE(
      "comporta.mode",
      "enforce",
      "Whether limits refuse: 'enforce'; 'shadow', they count and report and refuse nothing; 'off',"
          + " they count nothing."),

  /** The resources that are kept out of every limit. */
  EXEMPT_PATHS(
      "comporta.exempt-paths",
      "",
      "Resources that are kept out of every limit, by @Path of class and method without that of the"
          + " Application: /books/{id}, or /internal/* for that and all below; never the path of a"
          + " request."),

  /** Callers that no limit refuses. */
  ALLOW(
      "comporta.allow",
      "",
      "Callers that no limit refuses: addresses, networks, principals, API keys by name."),

  /** Callers that are always refused. */
  BLOCK(
      "comporta.block",
      "",
      "Callers that are always refused, written as for comporta.allow; none may be in both."),

  /** What becomes of a caller that nothing tells. */
  UNKNOWN_CALLER(
      "comporta.unknown-caller",
      "deny",
      "What becomes of a request whose caller nothing tells, not even an address: 'deny', 403;"
          + " 'allow', limits by caller are left out; 'share', all such requests are one caller."),

  /** When a caller is near a limit. */
  NEAR_LIMIT_PERCENT(
      "comporta.near-limit-percent",
      "80",
      "From which share of a limit on its use is reported as near the limit, 1 to 100."),

  /** By how much refused callers are told apart. */
  RETRY_AFTER_JITTER_PERCENT(
      "comporta.retry-after.jitter-percent",
      "0",
      "By up to how much Retry-After is longer than needed, at random, so that refused callers do"
          + " not all come back at once, 0 to 100."),

  /** How often the settings are read again. */
  RELOAD_EVERY(
      "comporta.reload-every",
      "30s",
      "How often the settings are read again while requests come, 1s to 1d; 0 is never."),

  /** The zone of calendar windows that name none. */
  TIME_ZONE(
      "comporta.time-zone",
      "UTC",
      "The time zone of calendar windows that name none, such as Europe/Lisbon."),

  /** The limits of annotations that state none. */
  DEFAULT_LIMITS(
      "comporta.default.limits",
      "",
      "The limits of @RateLimited where neither it nor an outer one states limits or a policy."),

  /** The limits of a policy. */
  POLICY_LIMITS(
      "comporta.policies.<name>.limits",
      "",
      "The limits of a policy, in place of those of its annotation: 10/1s,1000/1h;by=everyone."),

  /** How the limits of a policy count. */
  POLICY_ALGORITHM(
      "comporta.policies.<name>.algorithm",
      "as the annotation",
      "How those limits of the policy count that do not say so themselves: 'token-bucket',"
          + " 'sliding-window-counter', 'sliding-window-log' or 'fixed-window'."),

  /** For whom the limits of a policy count. */
  POLICY_BY(
      "comporta.policies.<name>.by",
      "as the annotation",
      "Whose requests those limits of the policy count together that do not say so themselves:"
          + " 'caller', 'address' or 'everyone'."),

  /** Whether a policy refuses. */
  POLICY_MODE(
      "comporta.policies.<name>.mode",
      "as comporta.mode",
      "Whether the policy refuses: 'enforce', 'shadow' or 'off'."),

  /** Which requests of a policy are charged. */
  POLICY_CHARGE(
      "comporta.policies.<name>.charge",
      "as the annotation",
      "Which requests keep what they were charged: 'always', all; 'failures', those that fail;"
          + " 'successes', those that do not."),

  /** How many permits a node takes for a caller at once. */
  POLICY_LEASE(
      "comporta.policies.<name>.lease",
      "",
      "How many permits of a caller a node may take from Redis in one trip, for decisions of the next"
          + " second at most: 2 to what the smallest limit admits, 1000 at most; 1 is none beyond the"
          + " cost of a request. Without Redis it does nothing."),

  /** The limits of a tier of a policy. */
  POLICY_TIER_LIMITS(
      "comporta.policies.<name>.tiers.<tier>.limits",
      "",
      "The limits of a policy for callers of that tier, in place of the common ones."),

  /** When the filter decides policies that need no caller. */
  PRIORITY_BEFORE_AUTHENTICATION(
      "comporta.priority.before-authentication",
      "900",
      "The priority at which policies are decided whose limits go by address or everyone alone;"
          + " below the one after authentication, -1000000 to 1000000."),

  /** When the filter decides all other policies. */
  PRIORITY_AFTER_AUTHENTICATION(
      "comporta.priority.after-authentication",
      "2100",
      "The priority at which all other policies are decided; it must come after the filters that"
          + " authenticate, -1000000 to 1000000.");

  private static final Set<SettingKey> LIVE =
      EnumSet.of(
          MODE,
          ALLOW,
          BLOCK,
          UNKNOWN_CALLER,
          NEAR_LIMIT_PERCENT,
          RETRY_AFTER_JITTER_PERCENT,
          RELOAD_EVERY,
          DEFAULT_LIMITS,
          POLICY_LIMITS,
          POLICY_ALGORITHM,
          POLICY_BY,
          POLICY_MODE,
          POLICY_CHARGE,
          POLICY_LEASE,
          POLICY_TIER_LIMITS);

  private final String pattern;
  private final String defaultText;
  private final String meaning;

  SettingKey(String pattern, String defaultText, String meaning) {
    this.pattern = pattern;
    this.defaultText = defaultText;
    this.meaning = meaning;
  }

  /** The key, with names in angle brackets. */
  public String pattern() {
    return pattern;
  }

  /** What stands if it is not set; empty if nothing does. */
  public String defaultText() {
    return defaultText;
  }

  /** What it means, and the rule for its value. */
  public String meaning() {
    return meaning;
  }

  /** Whether a change acts while the application runs; otherwise it needs a restart. */
  public boolean isLive() {
    return LIVE.contains(this);
  }

  /** The setting that has this key, or may be given by this environment variable. */
  static Optional<SettingKey> of(String key) {
    return Arrays.stream(values())
        .filter(setting -> setting.names(key).isPresent() || setting.isVariable(key))
        .findFirst();
  }

  private boolean isVariable(String name) {
    String variable =
        Arrays.stream(pattern.split("<[a-z]+>", -1))
            .map(EnvironmentNames::of)
            .collect(Collectors.joining("[A-Z0-9_]+"));
    return name.matches(variable);
  }

  /** The key with these names in place of the angle brackets. */
  public String key(String... names) {
    List<String> filled = new ArrayList<>();
    int next = 0;
    for (String part : parts(pattern)) {
      filled.add(isName(part) ? names[next++] : part);
    }
    return String.join(".", filled);
  }

  /** The names in that key, if it is one of this setting. */
  Optional<List<String>> names(String key) {
    List<String> parts = parts(pattern);
    List<String> given = parts(key);
    if (given.size() != parts.size()) {
      return Optional.empty();
    }
    List<String> names = new ArrayList<>();
    for (int at = 0; at < given.size(); at++) {
      if (isName(parts.get(at))) {
        names.add(given.get(at));
      } else if (!parts.get(at).equals(given.get(at))) {
        return Optional.empty();
      }
    }
    return Optional.of(List.copyOf(names));
  }

  /** The key of this setting that is most like a key that means nothing. */
  String likeness(String unknown) {
    List<String> parts = parts(pattern);
    List<String> given = parts(unknown);
    if (given.size() != parts.size()) {
      return pattern;
    }
    List<String> filled = new ArrayList<>();
    for (int at = 0; at < given.size(); at++) {
      filled.add(isName(parts.get(at)) ? given.get(at) : parts.get(at));
    }
    return String.join(".", filled);
  }

  private static List<String> parts(String key) {
    return List.of(key.split("\\.", -1));
  }

  private static boolean isName(String part) {
    return part.startsWith("<");
  }
}
