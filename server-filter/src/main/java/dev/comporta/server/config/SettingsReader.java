package dev.comporta.server.config;

import dev.comporta.server.config.Settings.Priorities;
import dev.comporta.server.http.Dialect;
import dev.comporta.server.policy.ConfiguredPolicies;
import dev.comporta.server.policy.PolicyFault;
import dev.comporta.server.policy.PolicyLookup;
import dev.comporta.server.policy.PolicyNames;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads every setting and collects what is wrong with them, so that all of it is told at once. */
public final class SettingsReader {

  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  private static final int MAX_NAMESPACE = 64;

  /** Before {@link jakarta.ws.rs.Priorities#AUTHENTICATION}, so that failing logins count. */
  private static final int DEFAULT_BEFORE = jakarta.ws.rs.Priorities.AUTHENTICATION - 100;

  /**
   * After {@link jakarta.ws.rs.Priorities#AUTHORIZATION}: the caller is known by then, and a
   * request that may not be made is refused as such and spends nothing.
   */
  private static final int DEFAULT_AFTER = jakarta.ws.rs.Priorities.AUTHORIZATION + 100;

  /** Far beyond any that is in use, and far from where the one before it would overflow. */
  private static final int MAX_PRIORITY = 1_000_000;

  private final Source source;
  private final Set<PolicyFault> faults = new LinkedHashSet<>();
  private final Values values;

  private SettingsReader(Source source) {
    this.source = source;
    this.values = new Values(source, faults::add);
  }

  /**
   * What was read.
   *
   * @param settings what was set; the default stands in for what is faulty
   * @param faults every mistake; the application must not start if there is one
   * @param warnings what looks odd and stops nothing
   * @param lookup finds policies that only environment variables configure
   */
  public record Reading(
      Settings settings,
      List<PolicyFault> faults,
      List<PolicyFault> warnings,
      PolicyLookup lookup) {

    /** Copies what it is given. */
    public Reading {
      faults = List.copyOf(faults);
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * Reads all settings. Throws nothing: see {@link Reading#faults()}.
   *
   * @param defaultNamespace what stands for {@code comporta.namespace} if it is not set: the name
   *     of the application; signs that a namespace cannot have become {@code _}
   */
  public static Reading read(Source source, String defaultNamespace) {
    return new SettingsReader(source).read(defaultNamespace);
  }

  private Reading read(String defaultNamespace) {
    KeyCheck keys = new KeyCheck(source.keys());
    keys.reportUnknown(values);
    NamesInEnvironment environment = new NamesInEnvironment(source);
    Set<String> apiKeys =
        environment.andApiKeys(keys.namesIn(0, SettingKey.API_KEY_SHA256, SettingKey.API_KEY_TIER));
    Set<String> tiers = environment.andTiers(tierNames(keys, apiKeys));
    Set<String> policyNames =
        keys.namesIn(
            0,
            SettingKey.POLICY_LIMITS,
            SettingKey.POLICY_ALGORITHM,
            SettingKey.POLICY_BY,
            SettingKey.POLICY_MODE,
            SettingKey.POLICY_CHARGE,
            SettingKey.POLICY_LEASE,
            SettingKey.POLICY_TIER_LIMITS);
    ConfiguredPolicies policies = new PolicyReader(values, tiers).policies(policyNames);
    Settings settings =
        new Settings(
            namespace(defaultNamespace),
            new StoreReader(values).read(),
            headers(),
            new CallerReader(values).read(apiKeys, tiers),
            priorities(),
            new LiveReader(values).read(policies));
    return new Reading(
        settings, List.copyOf(faults), SettingsAdvice.on(settings), lookup(source, tiers));
  }

  private Set<String> tierNames(KeyCheck keys, Set<String> apiKeys) {
    Set<String> tiers = new TreeSet<>(keys.namesIn(0, SettingKey.TIER_ROLES));
    tiers.addAll(keys.namesIn(1, SettingKey.POLICY_TIER_LIMITS));
    for (String name : apiKeys) {
      values
          .text(SettingKey.API_KEY_TIER.key(name))
          .filter(PolicyNames::isValid)
          .ifPresent(tiers::add);
    }
    return tiers;
  }

  private static PolicyLookup lookup(Source source, Set<String> tiers) {
    return (name, faults) -> new PolicyReader(new Values(source, faults), tiers).policy(name);
  }

  private String namespace(String fallback) {
    String cut = fallback.replaceAll("[^A-Za-z0-9_.-]", "_");
    String standing = cut.substring(0, Math.min(cut.length(), MAX_NAMESPACE));
    return values
        .parsed(SettingKey.NAMESPACE.key(), SettingsReader::namespaceName)
        .orElse(standing.isEmpty() ? "comporta" : standing);
  }

  private static String namespaceName(String text) {
    if (!NAMESPACE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "must be letters, digits, '-', '_' and '.', 64 at most, was '" + text + "'");
    }
    return text;
  }

  private Set<Dialect> headers() {
    List<Dialect> families =
        values.parsedList(SettingKey.HEADERS.key(), Values.oneOf(Dialect.class));
    return families.isEmpty() ? EnumSet.of(Dialect.LEGACY, Dialect.IETF) : EnumSet.copyOf(families);
  }

  private Priorities priorities() {
    SettingKey beforeKey = SettingKey.PRIORITY_BEFORE_AUTHENTICATION;
    SettingKey afterKey = SettingKey.PRIORITY_AFTER_AUTHENTICATION;
    int before = values.number(beforeKey, DEFAULT_BEFORE, -MAX_PRIORITY, MAX_PRIORITY);
    int after = values.number(afterKey, DEFAULT_AFTER, -MAX_PRIORITY, MAX_PRIORITY);
    if (before >= after) {
      values.fault(
          beforeKey.key(), "must be below " + afterKey.key() + " (" + after + "), was " + before);
    }
    return new Priorities(before, after);
  }
}
