package dev.comporta.client.header;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a response before its content is used. Immutable as far as its maps are.
 *
 * @param host the host that answered, without port; empty when it is not known
 * @param status the status
 * @param headers the lines of each field, by names in any case
 * @param receivedAt the time of receipt on this side's clock
 * @param body the text of a refusal, where it is short and was read; vendors put waits there
 */
public record ResponseHead(
    Optional<String> host,
    int status,
    Map<String, List<String>> headers,
    Instant receivedAt,
    Optional<String> body) {

  /** A response of a host that is not known. */
  public ResponseHead(int status, Map<String, List<String>> headers, Instant receivedAt) {
    this(Optional.empty(), status, headers, receivedAt, Optional.empty());
  }

  /**
   * The first line of a field that is not empty, by its name in any case, without blanks around.
   */
  public Optional<String> first(String name) {
    return new HeaderLines(headers, receivedAt).first(FieldName.of(name));
  }
}
