package dev.comporta.server.filter;

import dev.comporta.server.contract.HttpApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/** Jersey on Grizzly, on a free port of the loopback. */
final class JerseyServer implements AutoCloseable {

  private final HttpServer server;
  private final URI base;

  JerseyServer(ResourceConfig application) {
    this.base = URI.create("http://127.0.0.1:" + freePort() + "/");
    this.server = GrizzlyHttpServerFactory.createHttpServer(base, application);
  }

  URI base() {
    return base;
  }

  HttpApi api() {
    return new HttpApi(base);
  }

  /** Stopping twice is harmless. */
  void stop() {
    server.shutdownNow();
  }

  @Override
  public void close() {
    stop();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
