package dev.comporta.client;

import dev.comporta.client.pacing.Route;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.client.InvocationCallback;
import jakarta.ws.rs.client.ResponseProcessingException;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Asynchronous calls like one recipe. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // The result tells all.
record LaterCalls(Recipe recipe, Exchange exchange) {

  /** The arguments are those of a method of an asynchronous invoker: entity, type or callback. */
  CompletableFuture<@Nullable Object> send(String verb, Object[] args) {
    Request request = Request.of(verb, Routes.origin(recipe.uri()), args);
    Outgoing outgoing = outgoing(request);
    Optional<InvocationCallback<Object>> callback = callback(args);
    GenericType<?> type =
        callback.isPresent() ? CallbackType.of(callback.get()) : Decorator.resultType(args);
    CompletableFuture<RestReply> sent =
        exchange.sendLater(outgoing, call -> sent(request, guess(request), call));
    CompletableFuture<@Nullable Object> result = result(sent, type);
    callback.ifPresent(
        given -> result.whenComplete((value, failure) -> tell(given, value, failure)));
    return result;
  }

  /** The request as it is known before filters have run. */
  Outgoing outgoing(Request request) {
    return Outgoing.to(
        guess(request), request.isRepeatable(), recipe.hasHeader(exchange.idempotencyHeader()));
  }

  private Route guess(Request request) {
    return Routes.of(request.method(), recipe.uri(), recipe.credentials());
  }

  /** Calls that also have a property. */
  LaterCalls with(Object[] property) {
    return new LaterCalls(recipe.with(Recipe.property(property)), exchange);
  }

  private CompletionStage<RestReply> sent(Request request, Route guess, PacedCall call) {
    Invocation.Builder builder =
        recipe.make().property(PacingFilter.CALL, call).property(PacingFilter.GUESS, guess);
    CompletionStage<Response> response =
        request.entity().isPresent()
            ? builder.rx().method(request.method(), request.entity().get())
            : builder.rx().method(request.method());
    return response.thenApply(RestReply::new);
  }

  private static CompletableFuture<@Nullable Object> result(
      CompletableFuture<RestReply> sent, GenericType<?> type) {
    CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
    sent.whenComplete(
        (reply, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
            return;
          }
          try {
            boolean isTaken = result.complete(Results.of(reply.response(), type));
            if (!isTaken) {
              reply.discard();
            }
          } catch (WebApplicationException | ResponseProcessingException withTheResponse) {
            result.completeExceptionally(withTheResponse);
          } catch (RuntimeException | Error thrown) {
            reply.discard();
            result.completeExceptionally(thrown);
          }
        });
    result.whenComplete(
        (value, failure) -> {
          if (result.isCancelled()) {
            sent.cancel(false);
          }
        });
    return result;
  }

  @SuppressWarnings("unchecked") // It is given what its type says.
  private static Optional<InvocationCallback<Object>> callback(Object[] args) {
    return args.length > 0 && args[args.length - 1] instanceof InvocationCallback<?> callback
        ? Optional.of((InvocationCallback<Object>) callback)
        : Optional.empty();
  }

  /** The response is closed when the callback has seen it, as the contract of callbacks has it. */
  private static void tell(
      InvocationCallback<Object> callback, @Nullable Object value, @Nullable Throwable failure) {
    if (failure != null) {
      callback.failed(failure);
      return;
    }
    try {
      callback.completed(value);
    } finally {
      if (value instanceof Response response) {
        response.close();
      }
    }
  }
}
