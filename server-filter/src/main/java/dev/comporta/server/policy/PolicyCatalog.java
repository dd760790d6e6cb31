package dev.comporta.server.policy;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Every policy of an application: what its annotations and its configuration say together. First
 * the resource methods are discovered, then the faults are asked for, then requests are resolved.
 * Thread-safe.
 *
 * <pre>{@code
 * PolicyCatalog catalog = new PolicyCatalog(configured, Optional.of(LibraryApplication.class));
 * catalog.discoverAll(BookResource.class);
 * List<PolicyFault> faults = catalog.faults();
 * }</pre>
 *
 * <p>For each resource method the nearest annotation counts, in this order: the method, what it
 * overrides in superclasses, then in interfaces; the class, its superclasses, its interfaces; the
 * {@code Application}. At each place an annotation also counts when it stands on another annotation
 * there.
 */
public final class PolicyCatalog {

  private final Optional<Class<?>> application;
  private final ConfiguredPolicies first;
  private final PolicyCheck check;
  private final Map<ResourceMethod, Declaration.Reading> readings = new LinkedHashMap<>();
  private final Set<AnnotatedElement> effective = new HashSet<>();
  private final Set<Class<?>> whole = new LinkedHashSet<>(); // those discovered with all methods
  private boolean hasLocator;
  private Inputs inputs;
  private volatile PolicyHistory history = PolicyHistory.NONE;
  private volatile @Nullable CatalogState state; // null until asked for what has been discovered

  /** A resource method as the server shows it. */
  record ResourceMethod(Class<?> resourceClass, Method method) {}

  /** What can change while an application runs. */
  private record Inputs(
      ConfiguredPolicies configured,
      PolicyLookup lookup,
      Map<String, List<LimitSpec>> overrides,
      PolicyLimits limits) {

    Inputs(
        ConfiguredPolicies configured,
        PolicyLookup lookup,
        Map<String, List<LimitSpec>> overrides) {
      this(
          configured,
          lookup,
          Map.copyOf(overrides),
          new PolicyLimits(configured, lookup, Map.copyOf(overrides)));
    }

    Inputs withoutOverrides() {
      return new Inputs(configured, lookup, Map.of());
    }
  }

  /** A catalog of no resource yet. */
  public PolicyCatalog(ConfiguredPolicies configured, Optional<Class<?>> application) {
    this(configured, application, PolicyLookup.NONE);
  }

  /**
   * A catalog of no resource yet.
   *
   * @param lookup asked for the policies that annotations name and {@code configured} does not have
   */
  public PolicyCatalog(
      ConfiguredPolicies configured, Optional<Class<?>> application, PolicyLookup lookup) {
    this(configured, application, lookup, PolicyCheck.NONE);
  }

  /**
   * A catalog of no resource yet.
   *
   * @param lookup asked for the policies that annotations name and {@code configured} does not have
   * @param check what else policies must keep to
   */
  public PolicyCatalog(
      ConfiguredPolicies configured,
      Optional<Class<?>> application,
      PolicyLookup lookup,
      PolicyCheck check) {
    this.first = configured;
    this.check = check;
    this.application = application.map(type -> ResourceMethods.unwrapped(type, type));
    this.inputs = new Inputs(configured, lookup, Map.of());
  }

  /**
   * Reads the annotations of a resource method. Doing so again changes nothing.
   *
   * @param resourceClass the class of the resource, or a proxy of it
   * @param method the method as the server shows it, of the class or of an interface
   */
  public synchronized void discover(Class<?> resourceClass, Method method) {
    ResourceMethod key = new ResourceMethod(resourceClass, method);
    if (readings.containsKey(key)) {
      return;
    }
    Class<?> resource = ResourceMethods.unwrapped(resourceClass, method.getDeclaringClass());
    Method implementation = ResourceMethods.implementation(resource, method);
    List<Place> places = Place.of(resource, implementation, application);
    places.forEach(place -> effective.add(place.element()));
    readings.put(
        key,
        AnnotationPolicies.read(
            places, first.zone(), ExemptPaths.pathOf(resource, implementation)));
    hasLocator |= ResourceMethods.hasLocator(resource);
    state = null;
  }

  /**
   * Reads the annotations of every resource method of a class, of a root resource or of a
   * sub-resource: of those that have an annotation such as {@code @GET}, by themselves or by what
   * they override. An annotation of the class that has no effect, as on a sub-resource locator or
   * on a method that answers no requests, is a fault.
   */
  public synchronized void discoverAll(Class<?> resourceClass) {
    Class<?> resource = ResourceMethods.unwrapped(resourceClass, resourceClass);
    whole.add(resource);
    hasLocator |= ResourceMethods.hasLocator(resource);
    for (Method method : ResourceMethods.resourceMethods(resource)) {
      discover(resource, method);
    }
  }

  /**
   * What applies to that resource method; discovers it if that has not been done, as for a
   * sub-resource that no one knew of at the start.
   *
   * @throws InvalidPolicyException if what is declared for it is faulty
   */
  public Resolution resolve(Class<?> resourceClass, Method method) {
    ResourceMethod key = new ResourceMethod(resourceClass, method);
    CatalogState known = state;
    Optional<Resolution> resolution = known == null ? Optional.empty() : known.resolution(key);
    return resolution.orElseGet(() -> discovered(key));
  }

  private Resolution discovered(ResourceMethod key) {
    discover(key.resourceClass(), key.method());
    CatalogState current = current();
    return current.resolution(key).orElseThrow(() -> new InvalidPolicyException(current.faults()));
  }

  /** Every mistake found so far; those of the configuration that concern its policies included. */
  public List<PolicyFault> faults() {
    List<PolicyFault> faults = new ArrayList<>(current().faults());
    faults.addAll(ineffective());
    if (!mayFindMore()) {
      faults.addAll(unused(current(), true));
    }
    return List.copyOf(faults);
  }

  /**
   * Those of the faults that say that two places state different limits for one policy. They are
   * none where the two places belong to different applications, which share no policies.
   */
  public Set<PolicyFault> conflicts() {
    return Set.copyOf(current().conflicts());
  }

  /**
   * What looks odd and stops nothing: policies in the configuration that no resource names, exempt
   * paths that no resource has.
   */
  public List<PolicyFault> warnings() {
    List<PolicyFault> warnings = new ArrayList<>(unused(current(), false));
    if (mayFindMore()) {
      warnings.addAll(unused(current(), true));
    }
    first.exemptPaths().without(paths()).stream()
        .map(path -> "no resource that is known has this path, was '" + path + "'")
        .forEach(problem -> warnings.add(new PolicyFault("comporta.exempt-paths", problem)));
    return List.copyOf(warnings);
  }

  /** The policies that the application has named and some resource uses, sorted by name. */
  public List<Policy> sharedPolicies() {
    return current().policies().values().stream().filter(Policy::isShared).toList();
  }

  /** The policy of that name, given or derived, if some resource uses it. */
  public Optional<Policy> policy(String name) {
    return Optional.ofNullable(current().policies().get(name));
  }

  /** What the policies were before {@link #reconfigure}, {@link #override} and {@link #revert}. */
  public PolicyHistory history() {
    return history;
  }

  /**
   * Replaces the configuration, all of it or none. Each request sees either the policies before or
   * those after. Limits that running code has given stay. The zone and the exempt paths stay those
   * of the start.
   *
   * @return the mistakes that the catalog would have with it and does not have now; if there are
   *     any, nothing has changed
   */
  public synchronized List<PolicyFault> reconfigure(
      ConfiguredPolicies configured, PolicyLookup lookup) {
    Inputs next = new Inputs(configured.startedAs(first), lookup, inputs.overrides());
    List<PolicyFault> faults = newFaults(next);
    if (faults.isEmpty()) {
      put(next, state(next));
    }
    return faults;
  }

  /**
   * Limits for {@link #override}. What one does not say of itself, how it counts and for whom,
   * those that it replaces say, if they agree among themselves; as it is with limits of the
   * configuration.
   *
   * @throws IllegalArgumentException if one is not valid; the message names the rule and the value
   */
  public synchronized List<LimitSpec> inPlaceOf(String name, List<String> limits) {
    Policy replaced = state(inputs.withoutOverrides()).policies().get(name);
    return PolicyLimits.inPlaceOf(
        replaced == null ? List.of() : replaced.limits(),
        limits.stream().map(limit -> new LimitText("policy " + name, limit)).toList(),
        first.zone());
  }

  /**
   * Gives a policy other limits, in place of those of annotation and configuration, until {@link
   * #revert}. Its tiers stay.
   *
   * @return why that cannot be; if there is anything, nothing has changed
   */
  public synchronized List<PolicyFault> override(String name, List<LimitSpec> limits) {
    List<PolicyFault> faults = faultsOfOverride(name, limits);
    if (faults.isEmpty()) {
      Inputs next = overridden(name, limits);
      put(next, state(next));
    }
    return faults;
  }

  /** Why {@link #override} cannot be. Changes nothing. */
  public synchronized List<PolicyFault> faultsOfOverride(String name, List<LimitSpec> limits) {
    String place = "policy " + name;
    if (policy(name).isEmpty()) {
      String guess =
          NearestName.of(name, current().policies().keySet(), Math.max(2, name.length() / 3))
              .map(nearest -> "; nearest: '" + nearest + "'")
              .orElse("");
      return List.of(new PolicyFault(place, "unknown policy '" + name + "'" + guess));
    }
    if (limits.isEmpty()) {
      return List.of(new PolicyFault(place, "a policy must have at least one limit, was none"));
    }
    return newFaults(overridden(name, limits));
  }

  /**
   * Takes back what {@link #override} did.
   *
   * @return whether it did anything
   */
  public synchronized boolean revert(String name) {
    Map<String, List<LimitSpec>> overrides = new TreeMap<>(inputs.overrides());
    if (overrides.remove(name) == null) {
      return false;
    }
    Inputs next = new Inputs(inputs.configured(), inputs.lookup(), overrides);
    put(next, state(next));
    return true;
  }

  /** Every policy that some resource uses, sorted by name. */
  public List<Policy> policies() {
    return List.copyOf(current().policies().values());
  }

  /** Whether any request keeps or gets back what it was charged by how it ends. */
  public boolean hasOutcomes() {
    return current().hasOutcomes();
  }

  /**
   * The classes of the application that annotations name for it to implement. Those by which limits
   * are keyed are among them also where settings or running code have replaced these limits: they
   * believe what a client says, and must not be taken for identifiers of all callers.
   */
  public synchronized Set<Class<?>> namedClasses() {
    Set<Class<?>> classes = new LinkedHashSet<>(current().namedClasses());
    readings.values().forEach(reading -> classes.addAll(reading.keyingClasses()));
    return classes;
  }

  /** What is limited, as the caller of an API sees it; without what is behind locators. */
  public synchronized List<LimitedResource> limitedResources() {
    CatalogState current = current();
    List<LimitedResource> limited = new ArrayList<>();
    readings.forEach(
        (key, reading) -> {
          Optional<Policy> policy =
              current
                  .resolution(key)
                  .filter(Resolution.Limited.class::isInstance)
                  .map(found -> ((Resolution.Limited) found).binding().policy());
          Optional<String> httpMethod =
              ResourceMethods.httpMethod(key.resourceClass(), key.method());
          if (policy.isPresent() && httpMethod.isPresent() && reading.path().isPresent()) {
            String path = String.join("/", reading.path().get());
            limited.add(new LimitedResource(httpMethod.get(), path, policy.get()));
          }
        });
    return List.copyOf(limited);
  }

  private synchronized Inputs overridden(String name, List<LimitSpec> limits) {
    Map<String, List<LimitSpec>> overrides = new TreeMap<>(inputs.overrides());
    overrides.put(name, List.copyOf(limits));
    return new Inputs(inputs.configured(), inputs.lookup(), overrides);
  }

  /* Without the overrides too, so that taking them back is always possible. */
  private List<PolicyFault> newFaults(Inputs next) {
    Set<PolicyFault> faults = new LinkedHashSet<>(configurable(state(next)));
    faults.addAll(configurable(state(next.withoutOverrides())));
    faults.removeAll(configurable(current()));
    return List.copyOf(faults);
  }

  private void put(Inputs next, CatalogState after) {
    history = history.changed(current().policies(), after.policies());
    inputs = next;
    state = after;
  }

  /** The faults that another configuration could bring or take away. */
  private List<PolicyFault> configurable(CatalogState of) {
    List<PolicyFault> faults = new ArrayList<>(of.faults());
    if (!mayFindMore()) {
      faults.addAll(unused(of, true));
    }
    return faults;
  }

  private static List<PolicyFault> unused(CatalogState of, boolean isLikelyMisspelt) {
    return UnusedPolicies.of(of.configured(), of.named(), isLikelyMisspelt);
  }

  private synchronized List<PolicyFault> ineffective() {
    return IneffectiveAnnotations.of(whole, effective);
  }

  private synchronized boolean mayFindMore() {
    return hasLocator;
  }

  private synchronized List<List<String>> paths() {
    return readings.values().stream().flatMap(reading -> reading.path().stream()).toList();
  }

  private CatalogState current() {
    CatalogState known = state;
    return known != null ? known : renewed();
  }

  private synchronized CatalogState renewed() {
    CatalogState known = state;
    if (known == null) {
      known = state(inputs);
      state = known;
    }
    return known;
  }

  private synchronized CatalogState state(Inputs of) {
    return new CatalogState(readings, of.limits(), application, check);
  }
}
