package dev.comporta.example;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.StringReader;
import java.net.http.HttpResponse;
import java.util.List;

/** What the tests read from answers. */
final class Answers {

  /** Every header that a limited resource adds. */
  static final List<String> RATE_LIMIT_HEADERS =
      List.of(
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset",
          "RateLimit",
          "RateLimit-Policy");

  private Answers() {}

  /** How many of them have that status. */
  static long count(int status, List<HttpResponse<String>> answers) {
    return answers.stream().filter(answer -> answer.statusCode() == status).count();
  }

  /** The value of a header that must be there once. */
  static String header(HttpResponse<?> answer, String name) {
    List<String> values = answer.headers().allValues(name);
    if (values.size() != 1) {
      throw new AssertionError(answer + " must have " + name + " once, has " + values);
    }
    return values.get(0);
  }

  /** The names of rate limit headers in an answer, as often as they occur. */
  static List<String> rateLimitHeaders(HttpResponse<?> answer) {
    return RATE_LIMIT_HEADERS.stream()
        .flatMap(name -> answer.headers().allValues(name).stream().map(value -> name))
        .toList();
  }

  static JsonObject object(HttpResponse<String> answer) {
    try (JsonReader reader = Json.createReader(new StringReader(answer.body()))) {
      return reader.readObject();
    }
  }

  static JsonArray array(HttpResponse<String> answer) {
    try (JsonReader reader = Json.createReader(new StringReader(answer.body()))) {
      return reader.readArray();
    }
  }
}
