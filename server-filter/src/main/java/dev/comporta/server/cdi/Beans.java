package dev.comporta.server.cdi;

import dev.comporta.server.api.RateLimitListener;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The objects that an application names by their class: beans where CDI runs, made by their
 * constructor where it does not. To be asked at start and not for each request. Thread-safe.
 */
public final class Beans {

  private static final String CDI = "jakarta.enterprise.inject.spi.CDI";

  private Beans() {}

  /**
   * The bean of that class if there is one, else a new object of it. Among several the one whose
   * own class it is counts, not those of its subclasses.
   *
   * @throws IllegalArgumentException if there are several beans to choose from, or none and the
   *     class has no usable constructor, or the object cannot be made
   */
  public static <T> T of(Class<T> type) {
    Candidates<T> candidates = candidates(type);
    if (candidates.bean().isPresent()) {
      return candidates.bean().get();
    }
    if (candidates.count() > 1) {
      throw new IllegalArgumentException(
          type.getName() + " must be one bean, but there are " + candidates.count());
    }
    return construct(type);
  }

  /**
   * The bean of that type; empty if there is none, or more than one, or no CDI.
   *
   * @throws IllegalArgumentException if the bean cannot be made
   */
  public static <T> Optional<T> one(Class<T> type) {
    return candidates(type).bean();
  }

  /**
   * Every bean of that type, in no order; none where there is no CDI.
   *
   * @throws IllegalArgumentException if one of them cannot be made
   */
  public static <T> List<T> all(Class<T> type) {
    return isCdiVisible() ? Container.all(type) : List.of();
  }

  /** The classes of which there are beans of that type. */
  public static List<Class<?>> classesOf(Class<?> type) {
    return isCdiVisible() ? Container.classesOf(type) : List.of();
  }

  /**
   * Every implementation of that type which the application offers: its beans, then those that its
   * service files name and that are no beans.
   *
   * @throws IllegalArgumentException if a bean cannot be made
   * @throws java.util.ServiceConfigurationError if a service cannot be made
   */
  public static <T> List<T> allAndServices(Class<T> type) {
    List<T> found = new ArrayList<>(all(type));
    List<Class<?>> beans = classesOf(type);
    ServiceLoader.load(type).stream()
        .filter(service -> !beans.contains(service.type()))
        .forEach(service -> found.add(service.get()));
    return found;
  }

  /** Whether beans can be looked up now, or never. */
  public static boolean areSettled() {
    return !isCdiVisible() || Container.isRunning();
  }

  /**
   * What hands events on to the observer methods of the application; empty if it has none for them.
   */
  public static Optional<RateLimitListener> observerMethods() {
    return isCdiVisible() ? Container.observerMethods() : Optional.empty();
  }

  /**
   * What there is of a type.
   *
   * @param bean the one to use, if that is clear
   * @param count how many there are
   */
  record Candidates<T>(Optional<T> bean, int count) {}

  private static <T> Candidates<T> candidates(Class<T> type) {
    return isCdiVisible() ? Container.candidates(type) : new Candidates<>(Optional.empty(), 0);
  }

  /* Of our own class loader: that of the thread may know classes that this one could not link to. */
  private static boolean isCdiVisible() {
    try {
      Class.forName(CDI, false, Beans.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }

  private static <T> T construct(Class<T> type) {
    if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
      throw unusable(type, "it is abstract", null);
    }
    if (!Modifier.isPublic(type.getModifiers())) {
      throw unusable(type, "it is not public", null);
    }
    if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
      throw unusable(type, "it is an inner class: make it static", null);
    }
    try {
      Constructor<T> constructor = type.getConstructor();
      return constructor.newInstance();
    } catch (NoSuchMethodException none) {
      throw unusable(type, "it has no such constructor", none);
    } catch (IllegalAccessException hidden) {
      throw unusable(type, "its package is not open to this library", hidden);
    } catch (InvocationTargetException thrown) {
      throw notMade(type, thrown.getCause() == null ? thrown : thrown.getCause());
    } catch (InstantiationException | LinkageError broken) {
      throw notMade(type, broken);
    }
  }

  private static IllegalArgumentException unusable(
      Class<?> type, String reason, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        type.getName()
            + " must be a bean, or public with a public constructor without parameters, but "
            + reason,
        cause);
  }

  /** Says that the object could not be made, and why. */
  static IllegalArgumentException notMade(Class<?> type, Throwable cause) {
    if (cause instanceof VirtualMachineError fatal) {
      throw fatal;
    }
    return new IllegalArgumentException(type.getName() + " could not be made: " + cause, cause);
  }
}
