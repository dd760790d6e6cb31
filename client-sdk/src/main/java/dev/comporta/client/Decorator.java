package dev.comporta.client;

import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.client.SyncInvoker;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.core.Link;
import jakarta.ws.rs.core.Response;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Proxies of the client interfaces, which send synchronous calls through an {@link Exchange} and
 * pass everything else on. Hand-written delegates would be some 170 methods, and would lack those
 * of the next version of the interfaces.
 */
final class Decorator {

  private Decorator() {}

  static Client client(Client client, Exchange exchange) {
    return proxy(Client.class, new ClientHandler(client, exchange));
  }

  /** Whether {@link #client} has made it. */
  static boolean isDecorated(Client client) {
    return Proxy.isProxyClass(client.getClass())
        && Proxy.getInvocationHandler(client) instanceof Handler;
  }

  private static WebTarget target(WebTarget target, Exchange exchange) {
    return proxy(WebTarget.class, new TargetHandler(target, exchange));
  }

  private static Invocation.Builder builder(
      Invocation.Builder builder, URI uri, Exchange exchange) {
    return proxy(Invocation.Builder.class, new BuilderHandler(builder, uri, exchange));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Decorator.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Passes calls on; what returns the delegate itself returns the proxy. */
  private abstract static class Handler implements InvocationHandler {

    private final Object delegate;

    Handler(Object delegate) {
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

    abstract @Nullable Object decorated(Method method, Object[] args) throws Throwable;

    final @Nullable Object pass(Method method, Object[] args) throws Throwable {
      try {
        return method.invoke(delegate, args);
      } catch (InvocationTargetException thrown) {
        throw Optional.ofNullable(thrown.getCause()).orElse(thrown);
      }
    }
  }

  private static final class ClientHandler extends Handler {

    private final Exchange exchange;

    ClientHandler(Client client, Exchange exchange) {
      super(client);
      this.exchange = exchange;
    }

    @Override
    @Nullable Object decorated(Method method, Object[] args) throws Throwable {
      Object result = pass(method, args);
      if (result instanceof WebTarget target) {
        return target(target, exchange);
      }
      if (result instanceof Invocation.Builder builder && args[0] instanceof Link link) {
        return builder(builder, link.getUri(), exchange);
      }
      return result;
    }
  }

  private static final class TargetHandler extends Handler {

    private final WebTarget target;
    private final Exchange exchange;

    TargetHandler(WebTarget target, Exchange exchange) {
      super(target);
      this.target = target;
      this.exchange = exchange;
    }

    @Override
    @Nullable Object decorated(Method method, Object[] args) throws Throwable {
      Object result = pass(method, args);
      if (result instanceof WebTarget other && other != target) {
        return target(other, exchange);
      }
      if (result instanceof Invocation.Builder builder) {
        return builder(builder, target.getUri(), exchange);
      }
      return result;
    }
  }

  private static final class BuilderHandler extends Handler {

    private final Invocation.Builder builder;
    private final URI uri;
    private final Exchange exchange;

    BuilderHandler(Invocation.Builder builder, URI uri, Exchange exchange) {
      super(builder);
      this.builder = builder;
      this.uri = uri;
      this.exchange = exchange;
    }

    @Override
    @Nullable Object decorated(Method method, Object[] args) throws Throwable {
      if (method.getDeclaringClass() == SyncInvoker.class) {
        return sent(verb(method, "", args), args);
      }
      Object result = pass(method, args);
      if (result instanceof Invocation invocation) {
        Request request = request(verb(method, "build", args), args);
        return proxy(Invocation.class, new InvocationProxyHandler(invocation, request, exchange));
      }
      return result;
    }

    private @Nullable Object sent(String verb, Object[] args) {
      Request request = request(verb, args);
      Supplier<Response> sender =
          request.entity().isPresent()
              ? () -> builder.method(verb, request.entity().get())
              : () -> builder.method(verb);
      return Results.of(exchange.send(request, call -> sent(call, sender)), resultType(args));
    }

    /** The mark is for this call only: the builder may be used again, for an asynchronous one. */
    private Response sent(PacedCall call, Supplier<Response> sender) {
      builder.property(PacingFilter.CALL, call);
      try {
        return sender.get();
      } finally {
        builder.property(PacingFilter.CALL, null);
      }
    }

    private Request request(String verb, Object[] args) {
      Optional<Entity<?>> entity = Optional.empty();
      for (Object arg : args) {
        if (arg instanceof Entity<?> given) {
          entity = Optional.of(given);
        }
      }
      return new Request(verb, Routes.origin(uri), entity);
    }

    /** {@code get(…)} and {@code buildGet(…)} name the verb, {@code method(…)} is given it. */
    private static String verb(Method method, String prefix, Object[] args) {
      String name = method.getName().substring(prefix.length());
      boolean isGiven = name.isEmpty() || name.equals("method");
      return (isGiven ? String.valueOf(args[0]) : name).toUpperCase(Locale.ROOT);
    }
  }

  private static final class InvocationProxyHandler extends Handler {

    private final Invocation invocation;
    private final Request request;
    private final Exchange exchange;

    InvocationProxyHandler(Invocation invocation, Request request, Exchange exchange) {
      super(invocation);
      this.invocation = invocation;
      this.request = request;
      this.exchange = exchange;
    }

    @Override
    @Nullable Object decorated(Method method, Object[] args) throws Throwable {
      if (!method.getName().equals("invoke")) {
        return pass(method, args);
      }
      return Results.of(exchange.send(request, this::sent), resultType(args));
    }

    /** The mark is for this call only: the invocation may be submitted later. */
    private Response sent(PacedCall call) {
      invocation.property(PacingFilter.CALL, call);
      try {
        return invocation.invoke();
      } finally {
        invocation.property(PacingFilter.CALL, null);
      }
    }
  }

  private static GenericType<?> resultType(Object[] args) {
    for (Object arg : args) {
      if (arg instanceof GenericType<?> type) {
        return type;
      }
      if (arg instanceof Class<?> type) {
        return new GenericType<>((Type) type);
      }
    }
    return new GenericType<>(Response.class);
  }
}
