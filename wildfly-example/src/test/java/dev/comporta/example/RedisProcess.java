package dev.comporta.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import redis.embedded.RedisServer;

/** A Redis of its own on a free port of the loopback interface, which writes nothing to disk. */
final class RedisProcess implements AutoCloseable {

  private final RedisServer server;
  private final int port;

  private RedisProcess(RedisServer server, int port) {
    this.server = server;
    this.port = port;
  }

  static RedisProcess start() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    RedisServer server =
        RedisServer.builder()
            .port(port)
            .setting("bind 127.0.0.1")
            .setting("save \"\"")
            .setting("appendonly no")
            .build();
    server.start();
    return new RedisProcess(server, port);
  }

  String address() {
    return "redis://127.0.0.1:" + port;
  }

  /** Connections of others. */
  long connections() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write("CLIENT LIST\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      long own = 1;
      return all.lines().filter(line -> line.startsWith("id=")).count() - own;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() {
    server.stop();
  }
}
