package dev.comporta.client;

import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A way to send a request and take what comes of it. */
enum Way {
  SYNC {
    @Override
    <T> T call(
        Invocation.Builder builder, String verb, @Nullable Entity<?> entity, GenericType<T> type) {
      return entity == null ? builder.method(verb, type) : builder.method(verb, entity, type);
    }
  },
  INVOKE {
    @Override
    <T> T call(
        Invocation.Builder builder, String verb, @Nullable Entity<?> entity, GenericType<T> type) {
      return built(builder, verb, entity).invoke(type);
    }
  },
  ASYNC {
    @Override
    <T> T call(
        Invocation.Builder builder, String verb, @Nullable Entity<?> entity, GenericType<T> type) {
      return awaited(
          entity == null
              ? builder.async().method(verb, type)
              : builder.async().method(verb, entity, type));
    }
  },
  SUBMIT {
    @Override
    <T> T call(
        Invocation.Builder builder, String verb, @Nullable Entity<?> entity, GenericType<T> type) {
      return awaited(built(builder, verb, entity).submit(type));
    }
  },
  RX {
    @Override
    <T> T call(
        Invocation.Builder builder, String verb, @Nullable Entity<?> entity, GenericType<T> type) {
      return awaited(
          (entity == null
                  ? builder.rx().method(verb, type)
                  : builder.rx().method(verb, entity, type))
              .toCompletableFuture());
    }
  };

  abstract <T> T call(
      Invocation.Builder builder, String verb, @Nullable Entity<?> entity, GenericType<T> type);

  String text(Invocation.Builder builder) {
    return call(builder, "GET", null, new GenericType<String>() {});
  }

  Response response(Invocation.Builder builder) {
    return call(builder, "GET", null, new GenericType<Response>() {});
  }

  private static Invocation built(
      Invocation.Builder builder, String verb, @Nullable Entity<?> entity) {
    return entity == null ? builder.build(verb) : builder.build(verb, entity);
  }

  /** Throws what a synchronous call would. */
  private static <T> T awaited(Future<T> future) {
    try {
      return future.get(20, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(failed);
    } catch (InterruptedException | TimeoutException stuck) {
      throw new AssertionError(stuck);
    }
  }
}
