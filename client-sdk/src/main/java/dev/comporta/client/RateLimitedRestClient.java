package dev.comporta.client;

import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.pacing.Timeline;
import java.io.Closeable;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import org.eclipse.microprofile.rest.client.RestClientBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the clients that a builder of MicroProfile Rest Client makes inside the limits of the
 * servers that they call, as {@link RateLimitedClient} does for a Jakarta REST client. What a
 * wrapped builder builds is thread-safe; a builder, wrapped or not, belongs to one thread.
 *
 * <pre>{@code
 * OrdersApi orders =
 *     RateLimitedRestClient.wrap(RestClientBuilder.newBuilder())
 *         .baseUri("https://api.example")
 *         .build(OrdersApi.class);
 * }</pre>
 *
 * <p>Each sending is a call of the method anew, so providers, {@code @ClientHeaderParam} and
 * exception mappers see it like any other, and the caller gets what the last one returned or threw.
 * A method that is given a stream, or parts of a multipart entity, is called once. A method that
 * returns a {@code CompletionStage} waits without a thread; cancelling its future ends a wait at
 * once, and then nothing is sent. One that returns a {@code Publisher} is neither paced nor
 * retried.
 */
public final class RateLimitedRestClient {

  private RateLimitedRestClient() {}

  /** Wraps a builder with the default options. */
  public static RestClientBuilder wrap(RestClientBuilder builder) {
    return wrap(builder, Options.defaults());
  }

  /**
   * Wraps a builder. All interfaces that it builds share what they know. A provider is registered
   * on it that runs after all other request filters.
   *
   * <p>Asynchronous methods send in the executor that the wrapped builder is told; one that the
   * builder was told before is not used, since it does not tell which it has. Without one, they
   * have daemon threads of their own; in an application server, give a managed executor.
   *
   * @throws IllegalArgumentException if the builder is wrapped already: two layers would each retry
   *     what the other has retried
   */
  public static RestClientBuilder wrap(RestClientBuilder builder, Options options) {
    return wrap(builder, options, new SystemTimeline(options.waits().executor()));
  }

  static RestClientBuilder wrap(RestClientBuilder builder, Options options, Timeline timeline) {
    if (Proxy.isProxyClass(builder.getClass())
        && Proxy.getInvocationHandler(builder) instanceof BuilderHandler) {
      throw new IllegalArgumentException(
          "builder is wrapped already; wrap the one that RestClientBuilder made");
    }
    Exchange exchange = new Exchange(options, timeline, new SplittableRandom());
    builder
        .register(new MethodCallFilter(new PacingFilter(exchange)), PacingFilter.PRIORITY)
        .register(new MethodCallPassage());
    return (RestClientBuilder)
        Proxy.newProxyInstance(
            RateLimitedRestClient.class.getClassLoader(),
            new Class<?>[] {RestClientBuilder.class},
            new BuilderHandler(builder, exchange));
  }

  private static final class BuilderHandler extends PassingHandler {

    private final RestClientBuilder builder;
    private final Exchange exchange;
    private boolean hasExecutor;

    BuilderHandler(RestClientBuilder builder, Exchange exchange) {
      super(builder);
      this.builder = builder;
      this.exchange = exchange;
    }

    @Override
    @Nullable Object decorated(Method method, Object[] args) throws Throwable {
      if (method.getName().equals("executorService")
          && args[0] instanceof ExecutorService executor) {
        hasExecutor = true;
        return builder.executorService(new MethodCallExecutor(executor));
      }
      if (method.getName().equals("build") && args[0] instanceof Class<?> type) {
        if (!hasExecutor) {
          builder.executorService(MethodCallExecutor.ofThreads());
          hasExecutor = true;
        }
        return api(Objects.requireNonNull(pass(method, args)), type, exchange);
      }
      return pass(method, args);
    }
  }

  /** What is built can be closed, whether its interface says so or not. */
  static Object api(Object delegate, Class<?> type, Exchange exchange) {
    Class<?>[] types =
        delegate instanceof Closeable
            ? new Class<?>[] {type, Closeable.class}
            : new Class<?>[] {type};
    // Of the application: the platform has no such interface, and so no loader that is null.
    ClassLoader loader = Optional.ofNullable(type.getClassLoader()).orElseThrow();
    return Proxy.newProxyInstance(loader, types, new ApiHandler(delegate, exchange));
  }
}
