package dev.comporta.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** An HTTP server on loopback that gives the answers it was told, in order, then 200. */
final class ScriptedServer implements AutoCloseable {

  private final HttpServer server;
  private final Queue<Scripted> script = new ConcurrentLinkedQueue<>();
  private final List<Received> received = new CopyOnWriteArrayList<>();

  private record Scripted(int status, String body, List<String> headers) {}

  /** The peer is the port of the connection on the client's side. */
  record Received(
      String method, String path, String body, int peer, Map<String, List<String>> headers) {

    String idempotencyKey() {
      return header("Idempotency-key");
    }

    /** The first line of a field, which has its first letter alone in capitals. */
    String header(String name) {
      return String.valueOf(headers.getOrDefault(name, List.of("null")).get(0));
    }
  }

  ScriptedServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Adds an answer; headers are {@code Name: value}. */
  ScriptedServer then(int status, String body, String... headers) {
    script.add(new Scripted(status, body, List.of(headers)));
    return this;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  List<Received> received() {
    return received;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    boolean isZipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    InputStream in = exchange.getRequestBody();
    String body = new String((isZipped ? new GZIPInputStream(in) : in).readAllBytes(), UTF_8);
    received.add(
        new Received(
            exchange.getRequestMethod(),
            exchange.getRequestURI().getPath(),
            body,
            exchange.getRemoteAddress().getPort(),
            Map.copyOf(exchange.getRequestHeaders())));
    Scripted next = script.poll();
    Scripted answer = next == null ? new Scripted(200, "ok", List.of()) : next;
    for (String header : answer.headers()) {
      int colon = header.indexOf(": ");
      exchange.getResponseHeaders().add(header.substring(0, colon), header.substring(colon + 2));
    }
    exchange.getResponseHeaders().putIfAbsent("Content-Type", List.of("text/plain"));
    byte[] bytes = answer.body().getBytes(UTF_8);
    boolean isBodiless = exchange.getRequestMethod().equals("HEAD") || bytes.length == 0;
    exchange.sendResponseHeaders(answer.status(), isBodiless ? -1 : bytes.length);
    if (!isBodiless) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }
}
