package dev.comporta.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** The example seen from outside, without any knowledge of limits. */
final class HttpApi {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private final URI root;

  /** Speaks to the server at this root, which ends with a slash. */
  HttpApi(URI root) {
    this.root = root;
  }

  /** A GET, with headers as names and values in turn. */
  HttpResponse<String> get(String path, String... headers) {
    return send(request(path, headers).GET());
  }

  /** That many GET, one after the other. */
  List<HttpResponse<String>> getMany(int times, String path, String... headers) {
    return IntStream.range(0, times).mapToObj(i -> get(path, headers)).toList();
  }

  /** A POST of JSON. */
  HttpResponse<String> post(String path, String json) {
    return send(
        request(path, "Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
  }

  private HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(root.resolve(path)).timeout(PATIENCE);
    return headers.length == 0 ? request : request.headers(headers);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for an answer", interrupted);
    }
  }
}
