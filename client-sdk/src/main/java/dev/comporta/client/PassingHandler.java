package dev.comporta.client;

import jakarta.ws.rs.client.Invocation;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Of a proxy that passes calls on; what returns the delegate itself returns the proxy. */
abstract class PassingHandler implements InvocationHandler {

  private final Object delegate;

  PassingHandler(Object delegate) {
    this.delegate = delegate;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given)
      throws Throwable {
    Object[] args = given == null ? new Object[0] : given;
    if (method.getName().equals("equals") && args.length == 1) {
      return proxy == args[0];
    }
    Object result = decorated(method, args);
    return result == delegate ? proxy : result;
  }

  /** Another builder from the call that has made one. */
  final Invocation.Builder again(Method method, Object[] args) {
    try {
      return (Invocation.Builder) Objects.requireNonNull(method.invoke(delegate, args));
    } catch (ReflectiveOperationException thrown) {
      if (thrown.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("it made a builder before: " + method, thrown);
    }
  }

  abstract @Nullable Object decorated(Method method, Object[] args) throws Throwable;

  final @Nullable Object pass(Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(delegate, args);
    } catch (InvocationTargetException thrown) {
      throw Optional.ofNullable(thrown.getCause()).orElse(thrown);
    }
  }
}
