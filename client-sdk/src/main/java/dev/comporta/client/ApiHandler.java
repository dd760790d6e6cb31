package dev.comporta.client;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.core.MediaType;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Of an interface whose methods are requests: sends them through an {@link Exchange}. */
@SuppressWarnings("FutureReturnValueIgnored") // The result tells all.
final class ApiHandler extends PassingHandler {

  private final Exchange exchange;

  ApiHandler(Object delegate, Exchange exchange) {
    super(delegate);
    this.exchange = exchange;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given)
      throws Throwable {
    if (method.isDefault() && verb(method).isEmpty()) {
      try {
        // The requests that it makes are requests to the proxy.
        return InvocationHandler.invokeDefault(proxy, method, given);
      } catch (IllegalAccessException hidden) {
        return super.invoke(proxy, method, given);
      }
    }
    return super.invoke(proxy, method, given);
  }

  @Override
  @Nullable Object decorated(Method method, Object[] args) throws Throwable {
    Optional<String> verb = verb(method);
    if (verb.isPresent()) {
      return method.getReturnType() == CompletionStage.class
          ? later(verb.get(), method, args)
          : sent(verb.get(), method, args);
    }
    Object result = pass(method, args);
    if (result == null
        || !method.isAnnotationPresent(Path.class)
        || !method.getReturnType().isInterface()) {
      return result;
    }
    return RateLimitedRestClient.api(result, method.getReturnType(), exchange);
  }

  private @Nullable Object sent(String verb, Method method, Object[] args) throws Throwable {
    MethodCall call = new MethodCall();
    return exchange
        .send(
            outgoing(verb, method, args, call),
            paced -> sentOnce(call.sending(paced), method, args))
        .result();
  }

  private MethodReply sentOnce(MethodCall.Sending sending, Method method, Object[] args) {
    MethodReply reply;
    try {
      reply = MethodReply.returned(sending, sending.during(() -> pass(method, args)));
    } catch (Throwable thrown) {
      reply = MethodReply.thrown(sending, thrown);
    }
    if (!sending.isAnswered()) {
      exchange.lost(sending.paced());
    }
    return reply;
  }

  private CompletionStage<@Nullable Object> later(String verb, Method method, Object[] args) {
    MethodCall call = new MethodCall();
    CompletableFuture<MethodReply> sent =
        exchange.sendLater(
            outgoing(verb, method, args, call),
            paced -> sentOnceLater(call.sending(paced), method, args));
    CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
    sent.whenComplete((reply, failure) -> tell(result, reply, failure));
    result.whenComplete(
        (value, failure) -> {
          if (result.isCancelled()) {
            sent.cancel(false);
          }
        });
    return result;
  }

  private CompletionStage<MethodReply> sentOnceLater(
      MethodCall.Sending sending, Method method, Object[] args) {
    CompletionStage<?> stage;
    try {
      stage = (CompletionStage<?>) sending.during(() -> pass(method, args));
    } catch (Throwable thrown) {
      stage = CompletableFuture.failedFuture(thrown);
    }
    if (stage == null) {
      return CompletableFuture.completedFuture(MethodReply.returned(sending, null));
    }
    return stage.handle((value, failure) -> replied(sending, value, failure));
  }

  /** What failed before there was an answer fails the sending. */
  private static MethodReply replied(
      MethodCall.Sending sending, @Nullable Object value, @Nullable Throwable failure) {
    if (failure == null) {
      return MethodReply.returned(sending, value);
    }
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (sending.isAnswered()) {
      return MethodReply.thrown(sending, cause);
    }
    throw new CompletionException(cause);
  }

  private static void tell(
      CompletableFuture<@Nullable Object> result,
      @Nullable MethodReply reply,
      @Nullable Throwable failure) {
    if (reply == null) {
      result.completeExceptionally(
          failure == null ? new IllegalStateException("no reply and no failure") : failure);
      return;
    }
    boolean isTaken =
        reply.failure() == null
            ? result.complete(reply.value())
            : result.completeExceptionally(reply.failure());
    if (!isTaken) {
      reply.discard();
    }
  }

  private static Outgoing outgoing(String verb, Method method, Object[] args, MethodCall call) {
    return new Outgoing(verb, call::route, isRepeatable(method, args), false);
  }

  /** Any argument may be the entity, or part of it. */
  private static boolean isRepeatable(Method method, Object[] args) {
    MediaType type =
        Optional.ofNullable(method.getAnnotation(Consumes.class))
            .or(() -> Optional.ofNullable(method.getDeclaringClass().getAnnotation(Consumes.class)))
            .filter(ApiHandler::isMultipart)
            .map(consumes -> MediaType.MULTIPART_FORM_DATA_TYPE)
            .orElse(MediaType.APPLICATION_OCTET_STREAM_TYPE);
    return Arrays.stream(args)
        .filter(arg -> arg != null)
        .map(arg -> new Request("", "", Optional.of(Entity.entity(arg, type))))
        .allMatch(Request::isRepeatable);
  }

  private static boolean isMultipart(Consumes consumes) {
    return Arrays.stream(consumes.value())
        .anyMatch(type -> type.toLowerCase(Locale.ROOT).contains("multipart/"));
  }

  /** The HTTP method that a method stands for. */
  private static Optional<String> verb(Method method) {
    for (Annotation annotation : method.getAnnotations()) {
      HttpMethod verb = annotation.annotationType().getAnnotation(HttpMethod.class);
      if (verb != null) {
        return Optional.of(verb.value());
      }
    }
    return Optional.empty();
  }
}
