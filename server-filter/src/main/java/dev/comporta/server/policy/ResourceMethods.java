package dev.comporta.server.policy;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Resource classes and methods as the application wrote them, whatever a server shows: a proxy, a
 * bridge method, or the method of an interface.
 */
final class ResourceMethods {

  private ResourceMethods() {}

  /** The class behind a subclass that CDI or EJB generated. */
  static Class<?> unwrapped(Class<?> type, Class<?> declaring) {
    Class<?> written = type;
    while (isGenerated(written) && written.getSuperclass() != null) {
      written = written.getSuperclass();
    }
    return written == Object.class || Proxy.isProxyClass(type) ? declaring : written;
  }

  /** The method of that class which answers when this one is called. */
  static Method implementation(Class<?> resource, Method method) {
    Method found = declared(resource, method.getName(), method.getParameterTypes()).orElse(method);
    return found.isBridge() ? bridged(found).orElse(found) : found;
  }

  /** The method, then what it overrides in superclasses, then in interfaces; the nearest first. */
  static List<Method> withOverridden(Class<?> resource, Method method) {
    List<Class<?>[]> signatures = signatures(resource, method);
    Set<Method> found = new LinkedHashSet<>();
    found.add(method);
    for (Class<?> type : hierarchy(resource)) {
      declaredIn(type, method.getName())
          .filter(other -> !other.isBridge() && isOverridable(other))
          .filter(other -> isOneOf(signatures, other.getParameterTypes()))
          .forEach(found::add);
    }
    return List.copyOf(found);
  }

  /** The class, its superclasses, then all interfaces; the nearest first. */
  static Collection<Class<?>> hierarchy(Class<?> type) {
    Set<Class<?>> found = new LinkedHashSet<>();
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      found.add(at);
    }
    List<Class<?>> breadth = new ArrayList<>(found);
    for (int next = 0; next < breadth.size(); next++) {
      for (Class<?> parent : breadth.get(next).getInterfaces()) {
        if (found.add(parent)) {
          breadth.add(parent);
        }
      }
    }
    return found;
  }

  /** The methods of a class that answer requests by themselves. */
  static List<Method> resourceMethods(Class<?> resource) {
    return Arrays.stream(resource.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .map(method -> method.isBridge() ? implementation(resource, method) : method)
        .filter(method -> !method.isBridge() && hasDesignator(resource, method))
        .distinct()
        .toList();
  }

  /** Whether some method of the class only leads on to another resource. */
  static boolean hasLocator(Class<?> resource) {
    return Arrays.stream(resource.getMethods())
        .filter(method -> !method.isBridge() && method.getDeclaringClass() != Object.class)
        .anyMatch(method -> isLocator(resource, method));
  }

  /** Whether a method of the class only leads on to another resource. */
  static boolean isLocator(Class<?> resource, Method method) {
    return !hasDesignator(resource, method)
        && withOverridden(resource, method).stream()
            .anyMatch(other -> other.isAnnotationPresent(Path.class));
  }

  /** Whether a method of the class has an annotation such as {@code @GET}, or overrides one. */
  static boolean hasDesignator(Class<?> resource, Method method) {
    return httpMethod(resource, method).isPresent();
  }

  /** The method of HTTP that a method of the class answers, if it answers requests by itself. */
  static Optional<String> httpMethod(Class<?> resource, Method method) {
    return withOverridden(resource, method).stream()
        .flatMap(other -> Arrays.stream(other.getDeclaredAnnotations()))
        .map(Annotation::annotationType)
        .flatMap(type -> Optional.ofNullable(type.getAnnotation(HttpMethod.class)).stream())
        .map(HttpMethod::value)
        .findFirst();
  }

  /** Weld, OpenWebBeans, ArC and EJB containers write a {@code $$}, {@code $Proxy} or the like. */
  private static boolean isGenerated(Class<?> type) {
    String name = type.getName();
    return type.isSynthetic()
        || Proxy.isProxyClass(type)
        || name.contains("$$")
        || name.contains("$Proxy")
        || name.endsWith("_ClientProxy")
        || name.endsWith("_Subclass");
  }

  private static Optional<Method> declared(Class<?> resource, String name, Class<?>[] parameters) {
    for (Class<?> at = resource; at != null; at = at.getSuperclass()) {
      List<Method> same =
          declaredIn(at, name)
              .filter(method -> Arrays.equals(method.getParameterTypes(), parameters))
              .toList();
      if (!same.isEmpty()) {
        return same.stream().filter(method -> !method.isBridge()).findFirst().or(() -> first(same));
      }
    }
    return Optional.empty();
  }

  private static Optional<Method> first(List<Method> methods) {
    return methods.stream().findFirst();
  }

  /** The method that a bridge calls: narrower in its own class, or the same in a superclass. */
  private static Optional<Method> bridged(Method bridge) {
    Class<?> declaring = bridge.getDeclaringClass();
    return declaredIn(declaring, bridge.getName())
        .filter(method -> !method.isBridge() && isNarrower(method, bridge))
        .findFirst()
        .or(
            () ->
                Optional.ofNullable(declaring.getSuperclass())
                    .flatMap(
                        parent -> declared(parent, bridge.getName(), bridge.getParameterTypes()))
                    .filter(method -> !method.isBridge()));
  }

  /** Its own parameters, and those of the bridges that lead to it from generic supertypes. */
  private static List<Class<?>[]> signatures(Class<?> resource, Method method) {
    List<Class<?>[]> signatures = new ArrayList<>();
    signatures.add(method.getParameterTypes());
    for (Class<?> type : hierarchy(resource)) {
      declaredIn(type, method.getName())
          .filter(other -> other.isBridge() && isNarrower(method, other))
          .forEach(other -> signatures.add(other.getParameterTypes()));
    }
    return signatures;
  }

  private static boolean isNarrower(Method method, Method bridge) {
    Class<?>[] narrow = method.getParameterTypes();
    Class<?>[] wide = bridge.getParameterTypes();
    if (narrow.length != wide.length) {
      return false;
    }
    for (int at = 0; at < narrow.length; at++) {
      if (!wide[at].isAssignableFrom(narrow[at])) {
        return false;
      }
    }
    return bridge.getReturnType().isAssignableFrom(method.getReturnType());
  }

  private static boolean isOneOf(List<Class<?>[]> signatures, Class<?>[] parameters) {
    return signatures.stream().anyMatch(signature -> Arrays.equals(signature, parameters));
  }

  private static boolean isOverridable(Method method) {
    int modifiers = method.getModifiers();
    return !Modifier.isPrivate(modifiers) && !Modifier.isStatic(modifiers);
  }

  private static Stream<Method> declaredIn(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods()).filter(method -> method.getName().equals(name));
  }
}
