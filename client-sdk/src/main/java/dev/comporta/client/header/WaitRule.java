package dev.comporta.client.header;

import java.time.Duration;
import java.util.Optional;

/**
 * Where a vendor writes the wait that it asks for.
 *
 * @param field the field; empty for the body of a refusal
 * @param nanosPerUnit what one means
 * @param key the key in JSON under which it stands; empty where it is the whole of the field
 */
record WaitRule(Optional<FieldName> field, long nanosPerUnit, Optional<String> key) {

  Optional<Duration> read(Reading reading) {
    if (key.isPresent()) {
      Optional<String> json =
          field.isPresent()
              ? reading.header().joined(field.get())
              : reading.body().filter(body -> reading.isError());
      return json.flatMap(text -> longest(text, key.get()));
    }
    return field.flatMap(name -> RetryAfterHeader.read(reading.header(), name, nanosPerUnit));
  }

  /** In JSON a zero stands for no wait at all: the key is there in every answer. */
  private Optional<Duration> longest(String json, String wanted) {
    Optional<Duration> longest = Optional.empty();
    for (String value : JsonScan.values(json, wanted)) {
      longest =
          RetryAfterHeader.larger(
              longest,
              Decimal.parse(value)
                  .map(number -> number.span(nanosPerUnit))
                  .filter(span -> !span.isZero()));
    }
    return longest;
  }
}
