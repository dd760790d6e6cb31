package dev.comporta.server.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Requests over connections that stay open, with as little work for each as there can be. */
final class HttpCalls {

  private static final int CONNECTIONS = 16;
  private static final String LENGTH = "\nContent-Length:";

  private final int port;

  HttpCalls(int port) {
    this.port = port;
  }

  /** The answer to one request: its headers and its body. */
  String one(String path) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return exchange(socket, new BufferedInputStream(socket.getInputStream()), request(path), 200);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many requests were answered with that status within that time. */
  long during(long nanos, String path, int status) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      List<Future<Long>> counts = new ArrayList<>();
      long end = System.nanoTime() + nanos;
      for (int i = 0; i < CONNECTIONS; i++) {
        counts.add(threads.submit(() -> until(end, path, status)));
      }
      long answered = 0;
      for (Future<Long> count : counts) {
        answered += count.get();
      }
      return answered;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a connection failed", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private long until(long end, String path, int status) throws IOException {
    byte[] request = request(path);
    long answered = 0;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (System.nanoTime() < end) {
        exchange(socket, in, request, status);
        answered++;
      }
    }
    return answered;
  }

  private static byte[] request(String path) {
    return ("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static String exchange(Socket socket, InputStream in, byte[] request, int status)
      throws IOException {
    socket.getOutputStream().write(request);
    StringBuilder head = new StringBuilder(512);
    int ends = 0; // of lines, with nothing between them
    while (ends < 2) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the server has closed the connection");
      }
      head.append((char) next);
      if (next == '\n') {
        ends++;
      } else if (next != '\r') {
        ends = 0;
      }
    }
    if (!head.toString().startsWith("HTTP/1.1 " + status)) {
      throw new IOException("not an answer to measure: " + head);
    }
    int length = length(head.toString());
    return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  private static int length(String head) {
    int start = head.indexOf(LENGTH);
    if (start < 0) {
      return 0;
    }
    int end = head.indexOf('\r', start);
    return Integer.parseInt(head.substring(start + LENGTH.length(), end).strip());
  }
}
