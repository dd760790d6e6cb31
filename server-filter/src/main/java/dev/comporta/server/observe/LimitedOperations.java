package dev.comporta.server.observe;

import dev.comporta.server.cdi.Registry;
import dev.comporta.server.http.Dialect;
import java.util.List;
import java.util.Set;

/**
 * Which operations of one Jakarta REST application are limited, for its OpenAPI document.
 *
 * @param applicationPath the path of the application, {@code /api}; empty or {@code /} for the root
 * @param dialects the headers that it sends
 * @param operations each limited one
 */
public record LimitedOperations(
    String applicationPath, Set<Dialect> dialects, List<Operation> operations) {

  private static final Registry<LimitedOperations> RUNNING = new Registry<>();

  /** Copies what it is given. */
  public LimitedOperations {
    dialects = Set.copyOf(dialects);
    operations = List.copyOf(operations);
  }

  /**
   * A limited operation.
   *
   * @param httpMethod {@code GET}
   * @param path its template under the path of the application, as the {@code @Path} annotations of
   *     class and method give it: {@code books/{isbn: [0-9]+}}
   * @param limits what the document tells of its limits, one text each, as configuration writes
   *     them: {@code 100/1m}; none if they are not to be told
   */
  public record Operation(String httpMethod, String path, List<String> limits) {

    /** Copies what it is given. */
    public Operation {
      limits = List.copyOf(limits);
    }
  }

  /** Shows them to {@code OpenApiFilter}, until the registration is closed. */
  public Registry.Registration publish() {
    return RUNNING.add(this);
  }

  static List<LimitedOperations> here() {
    return RUNNING.here();
  }
}
