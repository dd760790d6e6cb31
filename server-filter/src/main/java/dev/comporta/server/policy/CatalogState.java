package dev.comporta.server.policy;

import dev.comporta.server.api.Charge;
import dev.comporta.server.policy.Declaration.Definition;
import dev.comporta.server.policy.Declaration.Limited;
import dev.comporta.server.policy.Place.Owner;
import dev.comporta.server.policy.PolicyCatalog.ResourceMethod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What follows from everything that has been discovered, put together in one go: an annotation may
 * name a policy whose limits another one states, in whichever order the two are found.
 */
final class CatalogState {

  private final PolicyLimits limits;
  private final Optional<Class<?>> application;
  private final DerivedNames names;
  private final Set<PolicyFault> faults = new LinkedHashSet<>();
  private final Set<PolicyFault> conflicts = new LinkedHashSet<>();
  private final Set<String> conflicting = new HashSet<>(); // names of policies
  private final Map<String, Definition> definitions = new HashMap<>();
  private final Map<String, Policy> policies = new TreeMap<>();
  private final Set<String> named = new HashSet<>();
  private final Map<ResourceMethod, Resolution> resolutions = new HashMap<>();

  private final boolean hasOutcomes;

  /** Works out everything; the first discovered of several definitions counts. */
  CatalogState(
      Map<ResourceMethod, Declaration.Reading> readings,
      PolicyLimits limits,
      Optional<Class<?>> application,
      PolicyCheck check) {
    this.limits = limits;
    this.application = application;
    this.names =
        new DerivedNames(
            readings.values().stream()
                .map(Declaration.Reading::declaration)
                .filter(Limited.class::isInstance)
                .map(declaration -> ((Limited) declaration).owner())
                .toList());
    readings.values().forEach(reading -> faults.addAll(reading.faults()));
    readings.values().stream()
        .flatMap(reading -> reading.definitions().stream())
        .forEach(this::define);
    readings.forEach(this::resolve);
    named.addAll(definitions.keySet());
    hasOutcomes = bindings().anyMatch(binding -> binding.charge() != Charge.ALWAYS);
    faults.addAll(limits.faults());
    bindings().forEach(binding -> faults.addAll(check.faults(binding)));
  }

  /** What applies; nothing if what is declared there is faulty or not discovered. */
  Optional<Resolution> resolution(ResourceMethod key) {
    return Optional.ofNullable(resolutions.get(key));
  }

  /** Every mistake, in the order found. */
  List<PolicyFault> faults() {
    return List.copyOf(faults);
  }

  /**
   * Those of the faults that say that two places state different limits for one policy: they are
   * none if the places belong to different applications.
   */
  Set<PolicyFault> conflicts() {
    return conflicts;
  }

  /** What configuration says, of which all this follows in part. */
  ConfiguredPolicies configured() {
    return limits.configured();
  }

  /** The policies that some resource uses, by name. */
  Map<String, Policy> policies() {
    return policies;
  }

  /** Whether the outcome of any request decides what it is charged. */
  boolean hasOutcomes() {
    return hasOutcomes;
  }

  /** The classes that annotations name for the application to implement. */
  Set<Class<?>> namedClasses() {
    Set<Class<?>> classes = new LinkedHashSet<>();
    bindings()
        .forEach(
            binding -> {
              binding.costBy().ifPresent(classes::add);
              binding.failure().ifPresent(classes::add);
              binding.policy().limits().forEach(limit -> limit.keyedBy().ifPresent(classes::add));
            });
    return classes;
  }

  private Stream<PolicyBinding> bindings() {
    return resolutions.values().stream()
        .filter(Resolution.Limited.class::isInstance)
        .map(resolution -> ((Resolution.Limited) resolution).binding());
  }

  /** The names that annotations give to policies. */
  Set<String> named() {
    return named;
  }

  private void define(Definition definition) {
    Definition first = definitions.putIfAbsent(definition.policy(), definition);
    if (first != null && isConflict(first, definition)) {
      PolicyFault conflict = conflict(first, definition);
      faults.add(conflict);
      conflicts.add(conflict);
      conflicting.add(definition.policy());
    }
  }

  private static boolean isConflict(Definition first, Definition second) {
    boolean isReadable = first.isReadable() && second.isReadable();
    return isReadable && !PolicyLimits.isSame(first.limits(), second.limits());
  }

  /** Told at the later place in order, so that the message does not depend on what came first. */
  private static PolicyFault conflict(Definition first, Definition second) {
    boolean isOrdered = first.place().compareTo(second.place()) <= 0;
    Definition left = isOrdered ? first : second;
    Definition right = isOrdered ? second : first;
    return new PolicyFault(
        right.place(),
        "policy '"
            + right.policy()
            + "' must have the same limits everywhere, was "
            + right.limits()
            + " here and "
            + left.limits()
            + " at "
            + left.place());
  }

  private void resolve(ResourceMethod key, Declaration.Reading reading) {
    Optional<Resolution> resolution =
        resolution(reading.declaration())
            .map(found -> isExempt(reading) ? new Resolution.Exempt() : found);
    if (reading.faults().isEmpty()) {
      resolution.ifPresent(found -> resolutions.put(key, found));
    }
  }

  /** By its path; see {@link ExemptPaths} for what wins. */
  private boolean isExempt(Declaration.Reading reading) {
    ExemptPaths exempt = limits.configured().exemptPaths();
    if (reading.path().isEmpty() || !(reading.declaration() instanceof Limited limited)) {
      return false;
    }
    List<String> path = reading.path().get();
    Owner nearest = limited.nearest().owner();
    boolean isByApplication =
        nearest.method().isEmpty() && application.filter(nearest.type()::equals).isPresent();
    return exempt.isChosen(path) || (isByApplication && exempt.isProbe(path));
  }

  private Optional<Resolution> resolution(Declaration declaration) {
    if (declaration instanceof Limited limited) {
      return bind(limited);
    }
    boolean isExempt = declaration instanceof Declaration.Exempt;
    return Optional.of(isExempt ? new Resolution.Exempt() : new Resolution.Unlimited());
  }

  private Optional<Resolution> bind(Limited declared) {
    Optional<Policy> policy =
        declared.policy().isPresent()
            ? namedPolicy(declared.policy().get(), declared)
            : ownPolicy(declared);
    if (policy.isEmpty()) {
      return Optional.empty();
    }
    long maxCost = policy.get().maxCost();
    if (declared.charging().cost() > maxCost) {
      // In a conflict the limits may be those of another application.
      if (!conflicting.contains(policy.get().name())) {
        faults.add(costFault(declared.charging(), policy.get().name(), maxCost));
      }
      return Optional.empty();
    }
    return Optional.of(new Resolution.Limited(binding(policy.get(), declared.charging())));
  }

  private PolicyBinding binding(Policy policy, Charging charging) {
    Charge charge = limits.charge(policy, charging.charge());
    return new PolicyBinding(
        policy,
        charging.cost(),
        charging.costBy(),
        charge,
        charge == Charge.ALWAYS ? Optional.empty() : charging.failure());
  }

  private static PolicyFault costFault(Charging charging, String policy, long maxCost) {
    return new PolicyFault(
        charging.place(),
        "cost must be at most "
            + maxCost
            + ", what the smallest limit of policy '"
            + policy
            + "' can ever admit, was "
            + charging.cost());
  }

  private Optional<Policy> namedPolicy(String name, Limited declared) {
    Definition definition = definitions.get(name);
    List<LimitSpec> annotated = definition == null ? List.of() : definition.limits();
    boolean isReplaced =
        !declared.limits().isEmpty() && !PolicyLimits.isSame(declared.limits(), annotated);
    boolean isReadable = definition == null || definition.isReadable();
    named.add(name);
    Optional<Policy> policy = limits.policy(name, annotated);
    if (policy.isEmpty()) {
      faults.add(new PolicyFault(declared.place().text(), noLimits(name)));
    }
    if (policy.isEmpty() || isReplaced || !isReadable || limits.isFaulty(name)) {
      return Optional.empty();
    }
    policies.put(name, policy.get());
    return policy;
  }

  private String noLimits(String name) {
    if (limits.configured(name).isPresent()) {
      return "policy '"
          + name
          + "' must have limits, was configured without comporta.policies."
          + name
          + ".limits";
    }
    return "unknown policy '" + name + "'" + nearest(name);
  }

  private String nearest(String name) {
    Set<String> known = new HashSet<>(definitions.keySet());
    known.addAll(limits.configured().byName().keySet());
    return NearestName.of(name, known, Math.max(2, name.length() / 3))
        .map(guess -> "; nearest: '" + guess + "'")
        .orElse("; no annotation and no setting gives it limits");
  }

  private Optional<Policy> ownPolicy(Limited declared) {
    String name = names.name(declared.owner());
    List<LimitSpec> standing =
        declared.limits().isEmpty() ? limits.defaults(name) : declared.limits();
    if (standing.isEmpty()) {
      faults.add(
          new PolicyFault(
              declared.place().text(),
              "@RateLimited must state limits or a policy, or comporta.default.limits must be set,"
                  + " was neither"));
    }
    if (standing.isEmpty() || limits.isFaulty(name)) {
      return Optional.empty();
    }
    Policy policy = limits.ownPolicy(name, standing);
    policies.put(name, policy);
    return Optional.of(policy);
  }
}
