package dev.comporta.example;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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

  @Override
  public void close() {
    server.stop();
  }
}
