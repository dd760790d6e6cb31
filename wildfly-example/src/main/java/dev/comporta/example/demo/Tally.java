package dev.comporta.example.demo;

import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.Response.Status.Family;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what really goes over the wire, retries included: it is registered with the client that
 * sends, below whatever decorates it. Thread-safe.
 */
final class Tally implements ClientRequestFilter, ClientResponseFilter {

  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  @Override
  public void filter(ClientRequestContext request) {
    sent.incrementAndGet();
  }

  @Override
  public void filter(ClientRequestContext request, ClientResponseContext response) {
    if (response.getStatus() == Status.TOO_MANY_REQUESTS.getStatusCode()) {
      refused.incrementAndGet();
    }
    if (response.getStatusInfo().getFamily() == Family.SUCCESSFUL) {
      answered.incrementAndGet();
    }
  }

  /** Requests that left. */
  long sent() {
    return sent.get();
  }

  /** Answers of 2xx. */
  long answered() {
    return answered.get();
  }

  /** Answers of 429. */
  long refused() {
    return refused.get();
  }
}
