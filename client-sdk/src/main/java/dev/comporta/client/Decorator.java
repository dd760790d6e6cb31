package dev.comporta.client;

import jakarta.ws.rs.client.AsyncInvoker;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.CompletionStageRxInvoker;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.client.RxInvoker;
import jakarta.ws.rs.client.SyncInvoker;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.core.Link;
import jakarta.ws.rs.core.Response;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Proxies of the client interfaces, which send calls through an {@link Exchange} and pass
 * everything else on. Hand-written delegates would be some 170 methods, and would lack those of the
 * next version of the interfaces.
 */
final class Decorator {

  private Decorator() {}

  static Client client(Client client, Exchange exchange) {
    return proxy(Client.class, new ClientHandler(client, exchange));
  }

  /** Whether {@link #client} has made it. */
  static boolean isDecorated(Client client) {
    return Proxy.isProxyClass(client.getClass())
        && Proxy.getInvocationHandler(client) instanceof PassingHandler;
  }

  private static WebTarget target(WebTarget target, Exchange exchange) {
    return proxy(WebTarget.class, new TargetHandler(target, exchange));
  }

  private static Invocation.Builder builder(
      Invocation.Builder builder, Recipe recipe, Exchange exchange) {
    return proxy(Invocation.Builder.class, new BuilderHandler(builder, recipe, exchange));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Decorator.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static final class ClientHandler extends PassingHandler {

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
        return builder(
            builder, new Recipe(link.getUri(), () -> again(method, args), List.of()), exchange);
      }
      return result;
    }
  }

  private static final class TargetHandler extends PassingHandler {

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
        return builder(
            builder, new Recipe(target.getUri(), () -> again(method, args), List.of()), exchange);
      }
      return result;
    }
  }

  private static final class BuilderHandler extends PassingHandler {

    private final Invocation.Builder builder;
    private final Exchange exchange;
    private Recipe recipe;

    BuilderHandler(Invocation.Builder builder, Recipe recipe, Exchange exchange) {
      super(builder);
      this.builder = builder;
      this.recipe = recipe;
      this.exchange = exchange;
    }

    @Override
    @Nullable Object decorated(Method method, Object[] args) throws Throwable {
      if (method.getDeclaringClass() == SyncInvoker.class) {
        return sent(verb(method, "", args), args);
      }
      if (method.getName().equals("rx") && args.length > 0) {
        return args[0] == CompletionStageRxInvoker.class ? rx(builder.rx()) : pass(method, args);
      }
      Object result = pass(method, args);
      if (result == builder) {
        recipe = recipe.with(new Recipe.Step(method, args));
      }
      // By name: Jersey's invoker for rx is one for async as well.
      if (method.getName().equals("rx") && result instanceof CompletionStageRxInvoker invoker) {
        return rx(invoker);
      }
      if (method.getName().equals("async") && result instanceof AsyncInvoker invoker) {
        return proxy(AsyncInvoker.class, new LaterHandler(invoker, later(), AsyncInvoker.class));
      }
      if (result instanceof Invocation invocation) {
        String verb = verb(method, "build", args);
        return proxy(Invocation.class, new InvocationProxyHandler(invocation, verb, args, later()));
      }
      return result;
    }

    private Object rx(CompletionStageRxInvoker invoker) {
      return proxy(
          CompletionStageRxInvoker.class, new LaterHandler(invoker, later(), RxInvoker.class));
    }

    private LaterCalls later() {
      return new LaterCalls(recipe, exchange);
    }

    private @Nullable Object sent(String verb, Object[] args) {
      Request request = Request.of(verb, Routes.origin(recipe.uri()), args);
      Supplier<Response> sender =
          request.entity().isPresent()
              ? () -> builder.method(verb, request.entity().get())
              : () -> builder.method(verb);
      RestReply reply = exchange.send(later().outgoing(request), call -> sent(call, sender));
      return Results.of(reply.response(), resultType(args));
    }

    /** The mark is for this call only: the builder may be used again, for another way to call. */
    private RestReply sent(PacedCall call, Supplier<Response> sender) {
      builder.property(PacingFilter.CALL, call);
      try {
        return new RestReply(sender.get());
      } finally {
        builder.property(PacingFilter.CALL, null);
      }
    }
  }

  /** {@code get(…)} and {@code buildGet(…)} name the verb, {@code method(…)} is given it. */
  private static String verb(Method method, String prefix, Object[] args) {
    String name = method.getName().substring(prefix.length());
    boolean isGiven = name.isEmpty() || name.equals("method");
    return (isGiven ? String.valueOf(args[0]) : name).toUpperCase(Locale.ROOT);
  }

  /** Of {@code async()} and {@code rx()}. */
  private static final class LaterHandler extends PassingHandler {

    private final LaterCalls calls;
    private final Class<?> type;

    LaterHandler(Object invoker, LaterCalls calls, Class<?> type) {
      super(invoker);
      this.calls = calls;
      this.type = type;
    }

    @Override
    @Nullable Object decorated(Method method, Object[] args) throws Throwable {
      // The interface for completion stages has the methods of the one above with its own types.
      return type.isAssignableFrom(method.getDeclaringClass())
          ? calls.send(verb(method, "", args), args)
          : pass(method, args);
    }
  }

  private static final class InvocationProxyHandler extends PassingHandler {

    private final Invocation invocation;
    private final String verb;
    private final Request request;
    private LaterCalls calls;

    InvocationProxyHandler(Invocation invocation, String verb, Object[] args, LaterCalls calls) {
      super(invocation);
      this.invocation = invocation;
      this.verb = verb;
      this.request = Request.of(verb, Routes.origin(calls.recipe().uri()), args);
      this.calls = calls;
    }

    @Override
    @Nullable Object decorated(Method method, Object[] args) throws Throwable {
      switch (method.getName()) {
        case "invoke" -> {
          RestReply reply = calls.exchange().send(calls.outgoing(request), this::sent);
          return Results.of(reply.response(), resultType(args));
        }
        case "submit" -> {
          return calls.send(verb, withEntity(args));
        }
        case "property" -> {
          calls = calls.with(args);
          return pass(method, args);
        }
        default -> {
          return pass(method, args);
        }
      }
    }

    private Object[] withEntity(Object[] args) {
      return Stream.concat(request.entity().stream(), Stream.of(args)).toArray();
    }

    /** The mark is for this call only: the invocation may be invoked again. */
    private RestReply sent(PacedCall call) {
      invocation.property(PacingFilter.CALL, call);
      try {
        return new RestReply(invocation.invoke());
      } finally {
        invocation.property(PacingFilter.CALL, null);
      }
    }
  }

  /** The type among the arguments of a call; a response where there is none. */
  static GenericType<?> resultType(Object[] args) {
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
