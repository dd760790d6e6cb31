package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Charge;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What configuration says of limits, before it meets the annotations.
 *
 * @param byName policies by their names
 * @param defaultLimits the limits of annotations that state none, {@code comporta.default.limits};
 *     empty if not configured
 * @param mode that of policies which have none of their own
 * @param zone that of calendar windows which name none
 * @param exemptPaths the paths that are kept out of every limit
 */
public record ConfiguredPolicies(
    Map<String, ConfiguredPolicy> byName,
    List<LimitText> defaultLimits,
    Mode mode,
    ZoneId zone,
    ExemptPaths exemptPaths) {

  /** No configuration. */
  public static final ConfiguredPolicies NONE = of(Map.of());

  /** Copies what it is given. */
  public ConfiguredPolicies {
    byName = Map.copyOf(byName);
    defaultLimits = List.copyOf(defaultLimits);
  }

  /** These policies; the rest is as if nothing were configured. */
  public static ConfiguredPolicies of(Map<String, ConfiguredPolicy> byName) {
    return new ConfiguredPolicies(
        byName, List.of(), Mode.ENFORCE, ZoneOffset.UTC, ExemptPaths.STANDING);
  }

  /** These, with those limits for annotations that state none. */
  public ConfiguredPolicies withDefaultLimits(List<LimitText> limits) {
    return new ConfiguredPolicies(byName, limits, mode, zone, exemptPaths);
  }

  /** These, in that mode where a policy has none of its own. */
  public ConfiguredPolicies withMode(Mode other) {
    return new ConfiguredPolicies(byName, defaultLimits, other, zone, exemptPaths);
  }

  /** These, with those paths kept out of every limit. */
  public ConfiguredPolicies withExemptPaths(ExemptPaths other) {
    return new ConfiguredPolicies(byName, defaultLimits, mode, zone, other);
  }

  /** These, with what cannot change while an application runs taken from those. */
  ConfiguredPolicies startedAs(ConfiguredPolicies first) {
    return new ConfiguredPolicies(byName, defaultLimits, mode, first.zone, first.exemptPaths);
  }

  /**
   * One policy of the configuration.
   *
   * @param place the key that first names the policy, for messages
   * @param limits in place of those of the annotation; empty if only tiers are configured
   * @param tiers the limits of each tier
   * @param counting how its limits and tiers count
   * @param conduct what it does
   */
  public record ConfiguredPolicy(
      String place,
      List<LimitText> limits,
      Map<String, List<LimitText>> tiers,
      Counting counting,
      Conduct conduct) {

    /** Copies what it is given. */
    public ConfiguredPolicy {
      limits = List.copyOf(limits);
      tiers = Map.copyOf(tiers);
    }
  }

  /**
   * How those limits of a policy count which do not say so themselves.
   *
   * @param algorithm how; when absent, as the annotation's limits do
   * @param by for whom; when absent, as the annotation's limits do
   */
  public record Counting(Optional<Algorithm> algorithm, Optional<By> by) {

    /** As the annotation's limits do. */
    public static final Counting AS_ANNOTATED = new Counting(Optional.empty(), Optional.empty());
  }

  /**
   * What a policy does.
   *
   * @param mode whether it limits; when absent, as all policies do
   * @param charge which requests are charged; when absent, as the annotation says
   * @param lease how many permits a decision may take at most; when absent, what it costs
   */
  public record Conduct(Optional<Mode> mode, Optional<Charge> charge, Optional<Integer> lease) {

    /** As all policies do, and as the annotation says. */
    public static final Conduct AS_ANNOTATED = new Conduct(Optional.empty(), Optional.empty());

    /** One whose decisions take what they cost. */
    public Conduct(Optional<Mode> mode, Optional<Charge> charge) {
      this(mode, charge, Optional.empty());
    }
  }
}
