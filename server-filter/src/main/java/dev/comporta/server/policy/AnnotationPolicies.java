package dev.comporta.server.policy;

import dev.comporta.server.api.Charge;
import dev.comporta.server.api.CostResolver;
import dev.comporta.server.api.FailureRule;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.Declaration.Definition;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Reads the annotations at the places of one resource method; the nearest wins. */
final class AnnotationPolicies {

  /**
   * Stands in for a limit that could not be read, so that the rest can be checked without faults
   * that only follow from the first. Nothing is ever limited by it.
   */
  private static final LimitSpec STAND_IN = LimitSpec.parse("1000000000/1s");

  private final Set<PolicyFault> faults = new LinkedHashSet<>();
  private final List<Definition> definitions = new ArrayList<>();

  private final ZoneId zone;

  private AnnotationPolicies(ZoneId zone) {
    this.zone = zone;
  }

  /**
   * An annotation at a place.
   *
   * @param limits what it states; empty if nothing
   * @param charging what it states; nothing is inherited yet
   */
  private record Stated(
      Place place, Optional<String> policy, List<LimitSpec> limits, Charging charging) {

    boolean isBare() {
      return policy.isEmpty() && limits.isEmpty();
    }
  }

  /**
   * Reads all places, the nearest first.
   *
   * @param zone that of calendar windows which name none
   * @param path the segments of the template of the resource method, if they are known
   */
  static Declaration.Reading read(List<Place> places, ZoneId zone, Optional<List<String>> path) {
    AnnotationPolicies reading = new AnnotationPolicies(zone);
    Declaration declaration = reading.declaration(places);
    return new Declaration.Reading(
        declaration, List.copyOf(reading.definitions), List.copyOf(reading.faults), path);
  }

  /** Every place is read, also behind the one that counts, so that no fault hides. */
  private Declaration declaration(List<Place> places) {
    List<Stated> chain = new ArrayList<>();
    boolean isExempt = false;
    for (Place place : places) {
      Optional<Stated> stated = stated(place);
      boolean saysExempt = saysExempt(place);
      if (stated.isPresent() && saysExempt) {
        fault(place, "@RateLimited and @RateLimitExempt must not stand together, were both there");
      }
      isExempt |= saysExempt && stated.isEmpty() && chain.isEmpty();
      stated.ifPresent(chain::add);
    }
    if (isExempt) {
      return new Declaration.Exempt();
    }
    return chain.isEmpty() ? new Declaration.Silent() : limited(chain);
  }

  /**
   * The nearest gives the cost; the first that states something gives policy and limits; charge and
   * failure rule come from the nearest that has one.
   */
  private Declaration limited(List<Stated> chain) {
    Stated nearest = chain.get(0);
    Stated source =
        chain.stream()
            .filter(stated -> !stated.isBare())
            .findFirst()
            .orElse(chain.get(chain.size() - 1));
    return new Declaration.Limited(
        source.policy(),
        source.place().owner(),
        source.limits(),
        source.place(),
        charging(chain),
        nearest.place());
  }

  /** From the outermost inwards, so that each is checked with what it inherits. */
  private Charging charging(List<Stated> chain) {
    Charging outer = chain.get(chain.size() - 1).charging().settled();
    for (int at = chain.size() - 1; at >= 0; at--) {
      Stated stated = chain.get(at);
      outer = stated.charging().within(outer);
      if (stated.charging().failure().isPresent() && outer.charge() == Charge.ALWAYS) {
        fault(
            stated.place(),
            "failure needs charge FAILURES or SUCCESSES here or outside, was ALWAYS with "
                + stated.charging().failure().get().getName());
      }
    }
    return outer;
  }

  private Optional<Stated> stated(Place place) {
    Set<RateLimited> found = ComposedAnnotations.nearest(place.element(), RateLimited.class);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    if (found.size() > 1) {
      fault(place, "only one @RateLimited may apply, were " + found.size() + " by composition");
    }
    RateLimited annotation = found.iterator().next();
    Charging charging = charging(place, annotation);
    Optional<String> policy = policy(place, annotation.policy());
    int faultsBefore = faults.size();
    List<LimitSpec> limits = limits(place, annotation);
    boolean isReadable = faults.size() == faultsBefore;
    if (policy.isPresent() && !limits.isEmpty()) {
      definitions.add(new Definition(policy.get(), limits, place.text(), isReadable));
    }
    return Optional.of(new Stated(place, policy, limits, charging));
  }

  private Charging charging(Place place, RateLimited annotation) {
    if (annotation.cost() < 1) {
      fault(place, "cost must be at least 1, was " + annotation.cost());
    }
    if (annotation.cost() != 1 && annotation.costBy() != CostResolver.class) {
      fault(
          place,
          "cost and costBy must not stand together, was "
              + annotation.cost()
              + " with "
              + annotation.costBy().getName());
    }
    return new Charging(
        annotation.cost(),
        named(place, "costBy", annotation.costBy(), CostResolver.class),
        annotation.charge(),
        named(place, "failure", annotation.failure(), FailureRule.class),
        place.text());
  }

  private <T> Optional<Class<? extends T>> named(
      Place place, String member, Class<? extends T> given, Class<T> standing) {
    try {
      return NamedClass.of(member, given, standing);
    } catch (IllegalArgumentException refused) {
      fault(place, String.valueOf(refused.getMessage()));
      return Optional.empty();
    }
  }

  private static boolean saysExempt(Place place) {
    return !ComposedAnnotations.nearest(place.element(), RateLimitExempt.class).isEmpty();
  }

  private Optional<String> policy(Place place, String name) {
    if (name.isEmpty()) {
      return Optional.empty();
    }
    if (!PolicyNames.isValid(name)) {
      fault(place, PolicyNames.RULE + ", was policy '" + name + "'");
    }
    return Optional.of(name);
  }

  private List<LimitSpec> limits(Place place, RateLimited annotation) {
    if (annotation.value().length > 0 && annotation.limits().length > 0) {
      fault(place, "value and limits must not stand together, were both there");
    }
    List<LimitSpec> limits = new ArrayList<>();
    for (String text : annotation.value()) {
      limits.add(attempt(place, () -> LimitSpec.parse(LimitText.withZone(text, zone))));
    }
    for (Limit limit : annotation.limits()) {
      limits.add(attempt(place, () -> AnnotatedLimit.spec(limit, zone)));
    }
    return limits;
  }

  private LimitSpec attempt(Place place, Supplier<LimitSpec> limit) {
    try {
      return limit.get();
    } catch (IllegalArgumentException refused) {
      fault(place, String.valueOf(refused.getMessage()));
      return STAND_IN;
    }
  }

  private void fault(Place place, String problem) {
    faults.add(new PolicyFault(place.text(), problem));
  }
}
