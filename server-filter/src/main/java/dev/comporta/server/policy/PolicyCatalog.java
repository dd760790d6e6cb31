package dev.comporta.server.policy;

import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
  private final ConfiguredPolicies configured;
  private final PolicyLimits limits;
  private final Map<ResourceMethod, Declaration.Reading> readings = new LinkedHashMap<>();
  private final Set<AnnotatedElement> effective = new HashSet<>();
  private final Set<Class<?>> whole = new LinkedHashSet<>(); // those discovered with all methods
  private boolean hasLocator;
  private volatile @Nullable CatalogState state; // null until asked for what has been discovered

  /** A resource method as the server shows it. */
  record ResourceMethod(Class<?> resourceClass, Method method) {}

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
    this.configured = configured;
    this.application = application.map(type -> ResourceMethods.unwrapped(type, type));
    this.limits = new PolicyLimits(configured, lookup);
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
    readings.put(key, AnnotationPolicies.read(places, ZoneOffset.UTC));
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
      faults.addAll(unused(true));
    }
    return List.copyOf(faults);
  }

  /** What looks odd and stops nothing: policies in the configuration that no resource names. */
  public List<PolicyFault> warnings() {
    List<PolicyFault> warnings = new ArrayList<>(unused(false));
    if (mayFindMore()) {
      warnings.addAll(unused(true));
    }
    return List.copyOf(warnings);
  }

  /** The policies that the application has named and some resource uses, sorted by name. */
  public List<Policy> sharedPolicies() {
    return current().shared();
  }

  /*
   * How this works, and why. A policy in the configuration that no resource names is a mistake when
   * its name is nearly one that resources do name: comporta.policies.serch.limits limits nothing,
   * and the operator believes otherwise. But a sub-resource behind a locator is discovered at its
   * first request, and may name it yet. So it is a fault only where no locator is known, and only
   * if the similar name has no configuration of its own; otherwise a warning.
   */
  private List<PolicyFault> unused(boolean isLikelyMisspelt) {
    Set<String> named = current().named();
    Set<String> candidates = new TreeSet<>(named);
    candidates.removeAll(configured.byName().keySet());
    List<PolicyFault> unused = new ArrayList<>();
    for (Map.Entry<String, ConfiguredPolicy> setting :
        new TreeMap<>(configured.byName()).entrySet()) {
      String name = setting.getKey();
      int maxDistance = Math.min(2, (name.length() - 1) / 2);
      Optional<String> nearest = NearestName.of(name, candidates, maxDistance);
      if (!named.contains(name) && nearest.isPresent() == isLikelyMisspelt) {
        String place = setting.getValue().place();
        String guess = nearest.map(other -> "; nearest: '" + other + "'").orElse("");
        unused.add(new PolicyFault(place, "no resource names policy '" + name + "'" + guess));
      }
    }
    return unused;
  }

  private synchronized List<PolicyFault> ineffective() {
    return IneffectiveAnnotations.of(whole, effective);
  }

  private synchronized boolean mayFindMore() {
    return hasLocator;
  }

  private CatalogState current() {
    CatalogState known = state;
    return known != null ? known : renewed();
  }

  private synchronized CatalogState renewed() {
    CatalogState known = state;
    if (known == null) {
      known = new CatalogState(readings, limits);
      state = known;
    }
    return known;
  }
}
