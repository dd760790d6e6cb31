package dev.comporta.example.demo;

import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Some threads that all want the same book, as often as they can have it, for a while.
 *
 * @param url the root of the server
 * @param key an API key, if there is one
 * @param threads how many
 * @param duration for how long new requests are begun
 */
record Race(String url, Optional<String> key, int threads, Duration duration) {

  private static final String POLICY = "book";
  private static final String BOOK = "os-maias";

  /**
   * How it went.
   *
   * @param tally what went over the wire
   * @param calls how often a thread asked for the book and was given a response
   * @param allowed the most that the server's limits admit in the time that it took
   */
  record Outcome(Tally tally, long calls, long allowed) {

    /** Answers per hundred allowed. */
    long percentUsed() {
      return tally.answered() * 100 / Math.max(1, allowed);
    }
  }

  /**
   * Runs with that client.
   *
   * @param tally registered with that client, and new
   */
  Outcome run(Client client, Tally tally, Allowance allowance) throws InterruptedException {
    WebTarget book = client.target(url).path("api/books").path(BOOK);
    long start = System.nanoTime();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        readers.add(pool.submit(() -> read(book, start)));
      }
      long calls = 0;
      for (Future<Long> reader : readers) {
        calls += reader.get();
      }
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      return new Outcome(tally, calls, allowance.admits(took));
    } catch (ExecutionException failed) {
      throw new CompletionException("a request failed", failed.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  /** What the limits admit, asked now with that client. */
  Allowance allowance(Client client) {
    return Allowance.ask(client.target(url).path("api"), headers(), POLICY);
  }

  private long read(WebTarget book, long start) {
    long calls = 0;
    while (System.nanoTime() - start < duration.toNanos()) {
      try (Response answer = book.request().headers(headers()).get()) {
        answer.readEntity(String.class);
      }
      calls++;
    }
    return calls;
  }

  private MultivaluedMap<String, Object> headers() {
    MultivaluedMap<String, Object> headers = new MultivaluedHashMap<>();
    key.ifPresent(value -> headers.add("X-API-Key", value));
    return headers;
  }
}
