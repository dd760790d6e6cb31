package dev.comporta.client;

import dev.comporta.client.retry.Reply;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.core.Response;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer that a response filter is given, before the filters of the application see it. Of one
 * thread at a time.
 */
final class ContextReply implements Reply {

  /** A refusal's text up to this length is read, so that its connection can be used again. */
  private static final int LARGEST_DRAINED = 2048;

  private final ClientResponseContext context;
  private Optional<InputStream> unread = Optional.empty();

  ContextReply(ClientResponseContext context) {
    this.context = context;
  }

  @Override
  public int status() {
    return context.getStatus();
  }

  @Override
  public Map<String, List<String>> headers() {
    return context.getHeaders();
  }

  @Override
  public Optional<String> refusalText() {
    return RefusalText.of(context);
  }

  /**
   * Reads a short text to its end, which frees its connection. A longer one is closed with what
   * comes in its place: with some implementations, closing a stream ends its whole response.
   */
  @Override
  public void discard() {
    if (!context.hasEntity()) {
      return;
    }
    InputStream stream = context.getEntityStream();
    try {
      boolean isAtEnd = stream.readNBytes(LARGEST_DRAINED).length < LARGEST_DRAINED;
      unread = isAtEnd ? Optional.empty() : Optional.of(stream);
    } catch (IOException unreadable) {
      // Draining only saves a connection, and nobody reads it any more.
      unread = Optional.of(stream);
    }
  }

  /** Puts another answer in the place of this one. */
  void become(Response other) {
    context.setStatusInfo(other.getStatusInfo());
    context.getHeaders().clear();
    context.getHeaders().putAll(other.getStringHeaders());
    InputStream entity =
        other.hasEntity() ? other.readEntity(InputStream.class) : InputStream.nullInputStream();
    context.setEntityStream(new StreamInPlace(entity, other, unread));
  }

  /** Gives up what has not been read. */
  void close() {
    closeQuietly(unread);
  }

  private static void closeQuietly(Optional<InputStream> stream) {
    try {
      if (stream.isPresent()) {
        stream.get().close();
      }
    } catch (IOException failing) {
      // Nobody reads it any more.
    }
  }

  /** Holds the response as long as it is read: some close what nobody refers to. */
  private static final class StreamInPlace extends FilterInputStream {

    private final Response response;
    private final Optional<InputStream> before;
    private boolean isClosed;

    StreamInPlace(InputStream entity, Response response, Optional<InputStream> before) {
      super(entity);
      this.response = response;
      this.before = before;
    }

    @Override
    public void close() throws IOException {
      if (isClosed) {
        return;
      }
      isClosed = true;
      try {
        super.close();
      } finally {
        response.close();
        closeQuietly(before);
      }
    }
  }
}
