package dev.comporta.server.config;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Charge;
import dev.comporta.server.policy.ConfiguredPolicies;
import dev.comporta.server.policy.ConfiguredPolicies.Conduct;
import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import dev.comporta.server.policy.ConfiguredPolicies.Counting;
import dev.comporta.server.policy.ExemptPaths;
import dev.comporta.server.policy.LimitText;
import dev.comporta.server.policy.Mode;
import dev.comporta.server.policy.Policy;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads the policies of the configuration. */
final class PolicyReader {

  /**
   * Stands in for limits that could not be read, so that the rest can be checked without faults
   * that only follow from the first. No application starts with it.
   */
  private static final String STAND_IN = "1000000000/1s";

  /** Not {@link Charge#INHERIT}: where nothing is set, the annotation's stands. */
  private static final List<Charge> CHARGES =
      List.of(Charge.ALWAYS, Charge.FAILURES, Charge.SUCCESSES);

  private final Values values;
  private final Set<String> tierNames;

  PolicyReader(Values values, Set<String> tierNames) {
    this.values = values;
    this.tierNames = tierNames;
  }

  ConfiguredPolicies policies(Set<String> policyNames) {
    Map<String, ConfiguredPolicy> byName = new TreeMap<>();
    for (String name : policyNames) {
      policy(name).ifPresent(policy -> byName.put(name, policy));
    }
    return new ConfiguredPolicies(
        byName,
        limits(SettingKey.DEFAULT_LIMITS.key()),
        values.parsed(SettingKey.MODE.key(), Values.oneOf(Mode.class)).orElse(Mode.ENFORCE),
        values.parsed(SettingKey.TIME_ZONE.key(), PolicyReader::zone).orElse(ZoneOffset.UTC),
        exemptPaths());
  }

  /** The policy of that name, if any of its settings is set. */
  Optional<ConfiguredPolicy> policy(String name) {
    List<String> places = new ArrayList<>();
    List<LimitText> limits = limits(noted(SettingKey.POLICY_LIMITS.key(name), places));
    String algorithmKey = noted(SettingKey.POLICY_ALGORITHM.key(name), places);
    String byKey = noted(SettingKey.POLICY_BY.key(name), places);
    String modeKey = noted(SettingKey.POLICY_MODE.key(name), places);
    String leaseKey = noted(SettingKey.POLICY_LEASE.key(name), places);
    String chargeKey = noted(SettingKey.POLICY_CHARGE.key(name), places);
    Counting counting =
        new Counting(
            values.parsed(algorithmKey, Values.oneOf(Algorithm.class)),
            values.parsed(byKey, Values.oneOf(By.class)));
    Conduct conduct =
        new Conduct(
            values.parsed(modeKey, Values.oneOf(Mode.class)),
            values.parsed(chargeKey, Values.oneOf(CHARGES)),
            values.number(leaseKey, Policy.NO_LEASE, Policy.MOST_LEASE));
    Map<String, List<LimitText>> tiers = new TreeMap<>();
    for (String tier : tierNames) {
      List<LimitText> ofTier = limits(noted(SettingKey.POLICY_TIER_LIMITS.key(name, tier), places));
      if (!ofTier.isEmpty()) {
        tiers.put(tier, ofTier);
      }
    }
    return places.stream()
        .findFirst()
        .map(place -> new ConfiguredPolicy(place, limits, tiers, counting, conduct));
  }

  private String noted(String key, List<String> places) {
    if (values.text(key).isPresent()) {
      places.add(key);
    }
    return key;
  }

  private List<LimitText> limits(String key) {
    Optional<String> text = values.text(key);
    if (text.isEmpty()) {
      return List.of();
    }
    List<String> elements = Values.elements(text.get());
    if (elements.isEmpty()) {
      values.fault(key, "must have at least one limit, was '" + text.get() + "'");
      return List.of(new LimitText(key, STAND_IN));
    }
    return elements.stream()
        .map(one -> values.attempt(key, one, limit -> LimitText.checked(key, limit)))
        .map(limit -> limit.orElse(new LimitText(key, STAND_IN)))
        .toList();
  }

  private ExemptPaths exemptPaths() {
    List<String> templates =
        values.parsedList(SettingKey.EXEMPT_PATHS.key(), PolicyReader::exemptPath);
    return ExemptPaths.of(templates);
  }

  /** Checks one path; they are put together once all are known. */
  private static String exemptPath(String text) {
    ExemptPaths.of(List.of(text));
    return text;
  }

  /** No short names such as EST: they are ambiguous. */
  private static ZoneId zone(String text) {
    if (!text.equals("UTC") && !ZoneId.getAvailableZoneIds().contains(text)) {
      throw new IllegalArgumentException(
          "must be a time zone such as UTC or Europe/Lisbon, was '" + text + "'");
    }
    return text.equals("UTC") ? ZoneOffset.UTC : ZoneId.of(text);
  }
}
