package dev.comporta.client;

import dev.comporta.client.retry.Reply;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Flow;

/** A response of the platform's HTTP client, with the body that its handler has made. */
record HttpReply<T>(HttpResponse<T> response) implements Reply {

  private static final int FIRST_CLIENT_ERROR = 400;
  private static final int FIRST_SERVER_ERROR = 500;

  /** Longer than any refusal that tells a wait. */
  private static final int LONGEST_TEXT = 8 * 1024;

  @Override
  public int status() {
    return response.statusCode();
  }

  @Override
  public Map<String, List<String>> headers() {
    return response.headers().map();
  }

  /** Only where the body is a text already: a stream is the caller's to read. */
  @Override
  public Optional<String> refusalText() {
    boolean isRefusal = status() >= FIRST_CLIENT_ERROR && status() < FIRST_SERVER_ERROR;
    return isRefusal && response.body() instanceof String text && text.length() <= LONGEST_TEXT
        ? Optional.of(text)
        : Optional.empty();
  }

  @Override
  public void discard() {
    if (response.body() instanceof Flow.Publisher<?> publisher) {
      publisher.subscribe(new Refusing());
    }
    if (response.body() instanceof AutoCloseable stream) {
      try {
        stream.close();
      } catch (IOException failing) {
        // Nobody reads it any more.
      } catch (Exception failing) {
        if (failing instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /** Wants nothing, so that the connection is given up. */
  private static final class Refusing implements Flow.Subscriber<Object> {

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.cancel();
    }

    @Override
    public void onNext(Object item) {
      // Was under way when it was cancelled.
    }

    @Override
    public void onError(Throwable failure) {
      // Nobody reads it any more.
    }

    @Override
    public void onComplete() {
      // Nobody reads it any more.
    }
  }
}
