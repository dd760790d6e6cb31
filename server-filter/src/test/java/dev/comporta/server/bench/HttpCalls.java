package dev.comporta.server.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Requests over connections that stay open, with as little work for each as there can be. */
final class HttpCalls {

  private static final int CONNECTIONS = 16;

  private final int port;

  HttpCalls(int port) {
    this.port = port;
  }

  /** The answer to one request: its headers and its body. */
  String one(String path) {
    try (Connection connection = new Connection(port)) {
      return connection.exchange(request(path), 200);
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
    try (Connection connection = new Connection(port)) {
      while (System.nanoTime() < end) {
        connection.send(request, status);
        answered++;
      }
    }
    return answered;
  }

  private static byte[] request(String path) {
    return ("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * One connection. An answer is read as it arrives and looked at as bytes: what the client does
   * for each byte of a header would else be taken for work of the server.
   */
  private static final class Connection implements AutoCloseable {

    private static final byte[] LENGTH = "\nContent-Length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int STATUS_AT = "HTTP/1.1 ".length();

    private final Socket socket;
    private final byte[] answer = new byte[1 << 16];
    private int received;

    Connection(int port) throws IOException {
      this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
    }

    String exchange(byte[] request, int status) throws IOException {
      send(request, status);
      return new String(answer, 0, received, StandardCharsets.UTF_8);
    }

    void send(byte[] request, int status) throws IOException {
      socket.getOutputStream().write(request);
      received = 0;
      int bodyAt = -1;
      int end = Integer.MAX_VALUE;
      while (received < end) {
        int more = socket.getInputStream().read(answer, received, answer.length - received);
        if (more <= 0) {
          throw new IOException("the connection has ended, or the answer is too long");
        }
        received += more;
        if (bodyAt < 0) {
          bodyAt = indexAfter(END_OF_HEAD, received);
          end = bodyAt < 0 ? end : bodyAt + length(bodyAt);
        }
      }
      if (received > end || number(STATUS_AT) != status) {
        throw new IOException(
            "not an answer to measure: " + new String(answer, 0, received, StandardCharsets.UTF_8));
      }
    }

    private int length(int bodyAt) throws IOException {
      int at = indexAfter(LENGTH, bodyAt);
      if (at < 0) {
        throw new IOException("an answer without a length cannot be read whole");
      }
      return Math.toIntExact(number(at));
    }

    /** Where that text has ended before the given place; -1 if it is not there. */
    private int indexAfter(byte[] text, int before) {
      for (int i = 0; i <= before - text.length; i++) {
        if (answer[i] == text[0]
            && Arrays.equals(answer, i, i + text.length, text, 0, text.length)) {
          return i + text.length;
        }
      }
      return -1;
    }

    /** The digits from there on, after spaces. */
    private long number(int from) {
      long value = 0;
      for (int i = from; answer[i] == ' ' || Character.isDigit(answer[i]); i++) {
        value = answer[i] == ' ' ? value : value * 10 + answer[i] - '0';
      }
      return value;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
