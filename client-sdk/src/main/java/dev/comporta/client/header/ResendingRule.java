package dev.comporta.client.header;

import dev.comporta.client.header.Throttle.Resending;
import java.util.Optional;

/**
 * Where a vendor says whether a request may be sent again.
 *
 * @param field the field; empty for the body of a refusal
 * @param text what the field is, or the body contains
 */
record ResendingRule(Resending resending, Optional<FieldName> field, String text) {

  boolean applies(Reading reading) {
    return field.isPresent()
        ? reading.header().first(field.get()).filter(text::equalsIgnoreCase).isPresent()
        : reading.isError() && reading.body().filter(body -> body.contains(text)).isPresent();
  }
}
