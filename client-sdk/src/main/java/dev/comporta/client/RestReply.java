package dev.comporta.client;

import dev.comporta.client.retry.Reply;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A response of a Jakarta REST client. */
record RestReply(Response response) implements Reply {

  /** A refusal's text up to this length is read, so that its connection can be used again. */
  private static final int LARGEST_DRAINED = 2048;

  @Override
  public int status() {
    return response.getStatus();
  }

  @Override
  public Map<String, List<String>> headers() {
    return response.getStringHeaders();
  }

  @Override
  public Optional<String> refusalText() {
    return RefusalText.of(response);
  }

  @Override
  public void discard() {
    try {
      if (response.getLength() >= 0 && response.getLength() <= LARGEST_DRAINED) {
        response.bufferEntity();
      }
    } catch (ProcessingException | IllegalStateException unreadable) {
      // Draining only saves a connection; closing is what matters.
    } finally {
      close();
    }
  }

  private void close() {
    try {
      response.close();
    } catch (ProcessingException failing) {
      // Nobody reads it any more.
    }
  }
}
