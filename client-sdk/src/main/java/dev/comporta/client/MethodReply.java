package dev.comporta.client;

import dev.comporta.client.retry.Reply;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a method that is a request returned or threw, and the answer that it made this of. Without
 * an answer, since the request failed, its status is 0 and it has no header.
 */
record MethodReply(MethodCall.Sending sending, @Nullable Object value, @Nullable Throwable failure)
    implements Reply {

  static MethodReply returned(MethodCall.Sending sending, @Nullable Object value) {
    return new MethodReply(sending, value, null);
  }

  static MethodReply thrown(MethodCall.Sending sending, Throwable failure) {
    return new MethodReply(sending, null, failure);
  }

  @Nullable Object result() throws Throwable {
    if (failure != null) {
      throw failure;
    }
    return value;
  }

  @Override
  public int status() {
    return sending.answer().map(MethodCall.Answered::status).orElse(0);
  }

  @Override
  public Map<String, List<String>> headers() {
    return sending.answer().map(MethodCall.Answered::headers).orElse(Map.of());
  }

  @Override
  public Optional<String> refusalText() {
    return sending.answer().flatMap(MethodCall.Answered::text);
  }

  /** Closes the response that the caller would have had to close. */
  @Override
  public void discard() {
    if (value instanceof Response response) {
      new RestReply(response).discard();
    }
    if (failure instanceof WebApplicationException thrown) {
      new RestReply(thrown.getResponse()).discard();
    }
  }
}
