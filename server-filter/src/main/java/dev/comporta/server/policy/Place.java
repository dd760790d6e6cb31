package dev.comporta.server.policy;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Where an annotation may stand.
 *
 * @param element what it would stand on
 * @param text how messages call it: {@code com.acme.BookResource#search(String)}
 * @param owner whose the policy is if the annotation gives it no name
 */
record Place(AnnotatedElement element, String text, Owner owner) {

  /**
   * What a policy without a name is named after.
   *
   * @param type a resource class, or the application
   * @param method the method, if it stands on one and not on the type
   */
  record Owner(Class<?> type, Optional<Method> method) {}

  /** All places that speak of a resource method, the nearest first. */
  static List<Place> of(Class<?> resource, Method method, Optional<Class<?>> application) {
    List<Place> places = new ArrayList<>();
    Owner byMethod = new Owner(resource, Optional.of(method));
    for (Method at : ResourceMethods.withOverridden(resource, method)) {
      places.add(new Place(at, text(at), byMethod));
    }
    Owner byClass = new Owner(resource, Optional.empty());
    for (Class<?> at : ResourceMethods.hierarchy(resource)) {
      places.add(new Place(at, at.getName(), byClass));
    }
    application.ifPresent(
        type -> {
          Owner byApplication = new Owner(type, Optional.empty());
          for (Class<?> at : ResourceMethods.hierarchy(type)) {
            places.add(new Place(at, at.getName(), byApplication));
          }
        });
    return places;
  }

  /** How messages call a method. */
  static String text(Method method) {
    return method.getDeclaringClass().getName() + "#" + label(method);
  }

  /** The method with the simple names of its parameters: {@code search(String)}. */
  static String label(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(",", method.getName() + "(", ")"));
  }
}
