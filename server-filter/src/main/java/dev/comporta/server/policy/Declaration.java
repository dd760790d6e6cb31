package dev.comporta.server.policy;

import dev.comporta.server.policy.Place.Owner;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the annotations alone say of one resource method. */
sealed interface Declaration {

  /** Nothing. */
  record Silent() implements Declaration {}

  /** That it is kept out of every limit. */
  record Exempt() implements Declaration {}

  /**
   * That it is limited.
   *
   * @param policy the name of its policy, if one is given
   * @param owner what the policy is named after otherwise
   * @param limits the limits, if they are stated there; else those of the policy, or the default
   * @param place where policy and limits stand
   * @param charging what a request costs and who keeps it, with all that is inherited
   * @param nearest where the annotation stands that is nearest to the method
   */
  record Limited(
      Optional<String> policy,
      Owner owner,
      List<LimitSpec> limits,
      Place place,
      Charging charging,
      Place nearest)
      implements Declaration {}

  /**
   * Limits that an annotation states for a policy with a name.
   *
   * @param policy the name
   * @param limits at least one
   * @param place where they stand
   * @param isReadable whether they are what stands there, and nothing stands in for a faulty one
   */
  record Definition(String policy, List<LimitSpec> limits, String place, boolean isReadable) {}

  /**
   * All that was read at the places of one resource method.
   *
   * @param declaration what counts
   * @param definitions of policies, at all places, also those that a nearer annotation replaces
   * @param faults what is wrong with any of the annotations
   * @param path the segments of its template, if they are known
   */
  record Reading(
      Declaration declaration,
      List<Definition> definitions,
      List<PolicyFault> faults,
      Optional<List<String>> path) {

    /** The classes by which its limits are keyed, whatever settings make of these. */
    Set<Class<?>> keyingClasses() {
      Stream<LimitSpec> own =
          declaration instanceof Limited limited ? limited.limits().stream() : Stream.empty();
      Stream<LimitSpec> defined = definitions.stream().flatMap(some -> some.limits().stream());
      return Stream.concat(own, defined)
          .flatMap(limit -> limit.keyedBy().stream())
          .collect(Collectors.toCollection(LinkedHashSet::new));
    }
  }
}
