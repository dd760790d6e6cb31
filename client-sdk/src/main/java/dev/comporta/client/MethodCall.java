package dev.comporta.client;

import dev.comporta.client.pacing.Route;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientResponseContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method that is a request, from which its filters learn for whom they run. Nothing of
 * a request is known to whoever calls the method, and nothing of the call to the filters, but the
 * thread. Thread-safe.
 */
final class MethodCall {

  private static final ThreadLocal<@Nullable Sending> CURRENT = new ThreadLocal<>();

  private volatile Optional<Route> route = Optional.empty();

  /** Where it turned out to go, once its filters have run. */
  Optional<Route> route() {
    return route;
  }

  /** The next sending of it. */
  Sending sending(PacedCall paced) {
    return new Sending(paced);
  }

  /** The sending of the method that this thread is calling, if there is one. */
  static @Nullable Sending current() {
    return CURRENT.get();
  }

  /** Makes that the sending of this thread; nothing stands for none. */
  static void current(@Nullable Sending sending) {
    if (sending == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(sending);
    }
  }

  /** Calls the method. */
  @FunctionalInterface
  interface Method {
    @Nullable Object call() throws Throwable;
  }

  /** What an answer told in its header and, if it may tell a wait there, in its text. */
  record Answered(int status, Map<String, List<String>> headers, Optional<String> text) {}

  /** One call of the method. */
  final class Sending {

    private final PacedCall paced;
    private volatile Optional<Answered> answer = Optional.empty();

    private Sending(PacedCall paced) {
      this.paced = paced;
    }

    PacedCall paced() {
      return paced;
    }

    /** Calls the method in this thread for this sending. */
    @Nullable Object during(Method method) throws Throwable {
      Sending before = current();
      current(this);
      try {
        return method.call();
      } finally {
        current(before);
      }
    }

    /** Runs a part of it. */
    void run(Runnable part) {
      Sending before = current();
      current(this);
      try {
        part.run();
      } finally {
        current(before);
      }
    }

    /** The filters of the application have run, and the request is about to be sent. */
    void left(ClientRequestContext request) {
      route = Optional.of(PacingFilter.route(request));
    }

    void answered(ClientResponseContext response) {
      answer =
          Optional.of(
              new Answered(response.getStatus(), response.getHeaders(), RefusalText.of(response)));
    }

    boolean isAnswered() {
      return answer.isPresent();
    }

    Optional<Answered> answer() {
      return answer;
    }
  }
}
