package dev.comporta.example;

import dev.comporta.client.RateLimitedClient;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Independent clients on one quota whose threads always want to send, over HTTP.
 *
 * @param resource what they call
 * @param key the API key by which all of them are one caller
 */
record Crowd(URI resource, String key, int clients, int threads) {

  private static final RateLimitedClient.Options PATIENT =
      RateLimitedClient.Options.defaults().withMaxWait(Duration.ofMinutes(2));

  /**
   * What came of it.
   *
   * @param admitted requests that were answered
   * @param refused requests that were turned away
   */
  record Result(long admitted, long refused) {

    double refusedPercent() {
      return 100.0 * refused / Math.max(1, admitted + refused);
    }
  }

  /** Counts what goes over the wire, retries included. */
  private record Counter(AtomicLong admitted, AtomicLong refused, AtomicBoolean isOver)
      implements ClientResponseFilter {

    @Override
    public void filter(ClientRequestContext request, ClientResponseContext response) {
      if (!isOver.get()) {
        (response.getStatus() == 429 ? refused : admitted).incrementAndGet();
      }
    }
  }

  /** Sends for so long; a call that waits for its turn then is given up. */
  Result run(Duration duration) throws InterruptedException {
    Counter counter = new Counter(new AtomicLong(), new AtomicLong(), new AtomicBoolean());
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    ExecutorService pool = Executors.newFixedThreadPool(clients * threads);
    List<Client> open = new ArrayList<>();
    try {
      for (int i = 0; i < clients; i++) {
        Client client =
            RateLimitedClient.wrap(ClientBuilder.newClient().register(counter), PATIENT);
        open.add(client);
        WebTarget target = client.target(resource);
        for (int thread = 0; thread < threads; thread++) {
          pool.execute(() -> send(target, counter.isOver(), failure));
        }
      }
      pool.shutdown();
      // Ends earlier only if every call has failed.
      pool.awaitTermination(duration.toNanos(), TimeUnit.NANOSECONDS);
      counter.isOver().set(true);
    } finally {
      pool.shutdownNow();
      pool.awaitTermination(10, TimeUnit.SECONDS);
      open.forEach(Client::close);
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    return new Result(counter.admitted().get(), counter.refused().get());
  }

  private void send(
      WebTarget target, AtomicBoolean isOver, AtomicReference<RuntimeException> failure) {
    try {
      while (!isOver.get()) {
        try (Response answer = target.request().header("X-API-Key", key).get()) {
          answer.readEntity(String.class);
        }
      }
    } catch (RuntimeException failed) {
      if (!isOver.get()) {
        failure.compareAndSet(null, failed);
      }
    }
  }
}
