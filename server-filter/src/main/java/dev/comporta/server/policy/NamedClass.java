package dev.comporta.server.policy;

import java.lang.reflect.Modifier;
import java.util.Optional;

/**
 * A class that an annotation names, for the application to implement. Whether CDI will have a bean
 * of it is not known while annotations are read, so only what no one can make an object of is
 * refused.
 */
final class NamedClass {

  private NamedClass() {}

  /**
   * The class; nothing if it is the default.
   *
   * @throws IllegalArgumentException if nobody can make an object of it
   */
  static <T> Optional<Class<? extends T>> of(
      String member, Class<? extends T> given, Class<T> standing) {
    if (given == standing) {
      return Optional.empty();
    }
    flaw(given)
        .ifPresent(
            flaw -> {
              throw new IllegalArgumentException(
                  member + " must be a class of which there can be objects, was " + flaw);
            });
    return Optional.of(given);
  }

  private static Optional<String> flaw(Class<?> type) {
    if (type.isInterface()) {
      return Optional.of("the interface " + type.getName());
    }
    if (Modifier.isAbstract(type.getModifiers())) {
      return Optional.of("the abstract class " + type.getName());
    }
    boolean isInner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
    return isInner
        ? Optional.of("the inner class " + type.getName() + ", which is not static")
        : Optional.empty();
  }
}
