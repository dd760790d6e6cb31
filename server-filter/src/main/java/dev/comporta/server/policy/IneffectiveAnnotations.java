package dev.comporta.server.policy;

import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.WriterInterceptor;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/*
 * How this works, and why. Whoever annotates a sub-resource locator, a method without @GET or a
 * class that is no resource believes that it is limited, and nothing limits it. What has an effect
 * is known exactly: the places at which the resource methods were read. So every other annotation
 * on a class, or on a method that the class has or inherits, is a mistake. Two kinds may count
 * elsewhere and are left alone: an annotated supertype, which a sub-resource that no one knows yet
 * may share, and a filter, which @RateLimited binds to the resources that have it too.
 */
/** Finds annotations that limit nothing and exempt nothing where they stand. */
final class IneffectiveAnnotations {

  private static final List<Class<?>> NAME_BOUND =
      List.of(
          ContainerRequestFilter.class,
          ContainerResponseFilter.class,
          ReaderInterceptor.class,
          WriterInterceptor.class);

  private final Set<AnnotatedElement> effective;
  private final List<PolicyFault> faults = new ArrayList<>();

  private IneffectiveAnnotations(Set<AnnotatedElement> effective) {
    this.effective = effective;
  }

  /**
   * Those of these classes.
   *
   * @param effective the places that speak of some resource method
   */
  static List<PolicyFault> of(Collection<Class<?>> classes, Set<AnnotatedElement> effective) {
    IneffectiveAnnotations found = new IneffectiveAnnotations(effective);
    classes.stream().filter(IneffectiveAnnotations::mayHaveInstances).forEach(found::check);
    return found.faults.stream().distinct().toList();
  }

  /** An interface or an abstract class answers nothing by itself. */
  private static boolean mayHaveInstances(Class<?> type) {
    return !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
  }

  private void check(Class<?> type) {
    if (NAME_BOUND.stream().noneMatch(bound -> bound.isAssignableFrom(type))) {
      check(type, type.getName(), reason(type));
    }
    for (Class<?> at : ResourceMethods.hierarchy(type)) {
      Stream.of(at.getDeclaredMethods())
          .filter(method -> !method.isSynthetic())
          .sorted((one, other) -> Place.label(one).compareTo(Place.label(other)))
          .forEach(method -> check(method, Place.text(method), reason(type, method)));
    }
  }

  private void check(AnnotatedElement element, String place, String reason) {
    if (effective.contains(element)) {
      return;
    }
    for (Class<? extends Annotation> annotation :
        List.of(RateLimited.class, RateLimitExempt.class)) {
      if (!ComposedAnnotations.nearest(element, annotation).isEmpty()) {
        faults.add(
            new PolicyFault(place, "@" + annotation.getSimpleName() + " has no effect: " + reason));
      }
    }
  }

  private static String reason(Class<?> type) {
    if (ResourceMethods.hasLocator(type)) {
      return "the class has only sub-resource locators, which are not limited; annotate the methods"
          + " or classes of the sub-resources";
    }
    return "the class has no resource methods, and no resource that is known extends it; annotate a"
        + " resource, or make the class abstract if it is for sub-resources to extend";
  }

  private static String reason(Class<?> type, Method method) {
    if (ResourceMethods.isLocator(type, method)) {
      return "a sub-resource locator's own annotations are ignored; annotate the methods or class of"
          + " the sub-resource"
          + subResource(method.getReturnType());
    }
    if (!ResourceMethods.hasDesignator(type, method)) {
      return "the method answers no requests; give it an annotation such as @GET, or annotate the"
          + " resource method that calls it";
    }
    if (!Modifier.isPublic(method.getModifiers())) {
      return "only public methods answer requests; make it public";
    }
    return "the method answers no requests; it must not be static or hidden by another";
  }

  /** A locator may return the class, or anything. */
  private static String subResource(Class<?> returned) {
    boolean isNamed = returned != Object.class && returned != Class.class;
    return isNamed ? " " + returned.getSimpleName() : "";
  }
}
