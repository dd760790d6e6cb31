package dev.comporta.server.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sends requests, and reads nothing into the answers. */
public final class HttpApi {

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(20))
          .build();
  private final URI base;

  /** Speaks to what is under that URI, which ends with a slash. */
  public HttpApi(URI base) {
    this.base = base;
  }

  /** GET, with headers as names and values in turn. */
  public HttpResponse<String> get(String path, String... headers) {
    return send("GET", path, headers);
  }

  /** Any method without a body. */
  public HttpResponse<String> send(String method, String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(Duration.ofSeconds(30))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The statuses of as many GET. */
  public List<Integer> statuses(int times, String path, String... headers) {
    List<Integer> statuses = new ArrayList<>(times);
    for (int i = 0; i < times; i++) {
      statuses.add(get(path, headers).statusCode());
    }
    return statuses;
  }

  /** The value of a header that must be there, once. */
  public static String only(HttpResponse<?> response, String name) {
    List<String> values = response.headers().allValues(name);
    if (values.size() != 1) {
      throw new AssertionError(response.uri() + " must have " + name + " once, has " + values);
    }
    return values.get(0);
  }
}
