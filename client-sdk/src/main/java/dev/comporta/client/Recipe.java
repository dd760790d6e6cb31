package dev.comporta.client;

import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.MultivaluedMap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a builder was made, so that another like it can be: one that is sent without waiting must not
 * be changed meanwhile, and each sending has its own marks. Immutable.
 */
@SuppressWarnings("ArrayRecordComponent") // As reflection has them; nobody compares steps.
record Recipe(URI uri, Supplier<Invocation.Builder> origin, List<Step> steps) {

  /** A call that changed the builder. */
  record Step(Method method, Object[] args) {}

  private static final Method PROPERTY = propertyMethod();

  Recipe {
    steps = List.copyOf(steps);
  }

  /** Gives a property, by its name and value. */
  static Step property(Object[] nameAndValue) {
    return new Step(PROPERTY, nameAndValue);
  }

  private static Method propertyMethod() {
    try {
      return Invocation.Builder.class.getMethod("property", String.class, Object.class);
    } catch (NoSuchMethodException impossible) {
      throw new IllegalStateException("every builder takes properties", impossible);
    }
  }

  /** A copy with another step. */
  Recipe with(Step step) {
    List<Step> all = new ArrayList<>(steps);
    all.add(step);
    return new Recipe(uri, origin, all);
  }

  /** A builder that nobody else has. */
  Invocation.Builder make() {
    Invocation.Builder builder = origin.get();
    for (Step step : steps) {
      apply(step, builder);
    }
    return builder;
  }

  /** What the request is known to identify its caller with, before filters have run. */
  Credentials credentials() {
    Credentials credentials = Credentials.NONE;
    for (Header header : headers()) {
      credentials = credentials.with(header.name(), header.value());
    }
    return credentials;
  }

  boolean hasHeader(Optional<String> name) {
    return name.isPresent()
        && headers().stream().anyMatch(header -> header.name().equalsIgnoreCase(name.get()));
  }

  private record Header(String name, String value) {}

  private List<Header> headers() {
    List<Header> headers = new ArrayList<>();
    for (Step step : steps) {
      Object[] args = step.args();
      if (step.method().getName().equals("header")) {
        put(headers, String.valueOf(args[0]), args[1]);
      } else if (step.method().getName().equals("headers")) {
        // The map replaces all that was set before.
        headers.clear();
        if (args[0] instanceof MultivaluedMap<?, ?> map) {
          map.forEach((name, values) -> values.forEach(v -> put(headers, (String) name, v)));
        }
      } else if (step.method().getName().equals("cookie")) {
        put(headers, "Cookie", args.length == 2 ? args[0] + "=" + args[1] : args[0]);
      }
    }
    return headers;
  }

  /** No value takes the header away. */
  private static void put(List<Header> headers, String name, @Nullable Object value) {
    if (value == null) {
      headers.removeIf(header -> header.name().equalsIgnoreCase(name));
    } else {
      headers.add(new Header(name, value.toString()));
    }
  }

  private static void apply(Step step, Invocation.Builder builder) {
    try {
      Object unused = step.method().invoke(builder, step.args());
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("a builder took this before: " + step.method(), thrown);
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException("methods of interfaces are accessible", impossible);
    }
  }
}
