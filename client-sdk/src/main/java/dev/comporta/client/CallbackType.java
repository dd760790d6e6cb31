package dev.comporta.client;

import jakarta.ws.rs.client.InvocationCallback;
import jakarta.ws.rs.core.GenericType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The type of response that a callback takes, read from its class. */
final class CallbackType {

  private CallbackType() {}

  /**
   * @throws IllegalArgumentException if the class of the callback does not tell
   */
  static GenericType<?> of(InvocationCallback<?> callback) {
    Type taken =
        find(callback.getClass(), new HashMap<>())
            .filter(type -> !(type instanceof TypeVariable))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the class of a callback must tell the type that it takes, was "
                            + callback.getClass().getName()));
    return new GenericType<>(taken);
  }

  private static Optional<Type> find(Type type, Map<Type, Type> bound) {
    Class<?> raw = raw(type, bound);
    if (raw == InvocationCallback.class) {
      Type argument = raw.getTypeParameters()[0];
      return Optional.of(bound.getOrDefault(argument, argument));
    }
    for (Type above : raw.getGenericInterfaces()) {
      Optional<Type> found = find(above, bound);
      if (found.isPresent()) {
        return found;
      }
    }
    @Nullable Type above = raw.getGenericSuperclass();
    return above == null ? Optional.empty() : find(above, bound);
  }

  /** The class of a type; what its variables stand for is noted. */
  private static Class<?> raw(Type type, Map<Type, Type> bound) {
    if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
      TypeVariable<?>[] variables = raw.getTypeParameters();
      for (int i = 0; i < variables.length; i++) {
        Type argument = generic.getActualTypeArguments()[i];
        bound.put(variables[i], bound.getOrDefault(argument, argument));
      }
      return raw;
    }
    return (Class<?>) type;
  }
}
