package dev.comporta.client.header;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.greenbytes.http.sfv.DecimalItem;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Parametrizable;

/**
 * A member of a list of counts, which may carry its window: {@code 5000}, {@code 594.0}, {@code
 * 100;w=60}.
 *
 * @param value the count, without its fraction; empty when the member is none
 */
record Figure(OptionalLong value, Optional<Duration> length) {

  /** The members of a field; none when it is malformed. */
  static List<Figure> all(String field) {
    Optional<Decimal> number = Decimal.parse(field);
    if (number.isPresent()) {
      return List.of(new Figure(OptionalLong.of(number.get().whole()), Optional.empty()));
    }
    List<Figure> all = new ArrayList<>();
    for (Parametrizable<?> member : StructuredFields.list(field)) {
      all.add(new Figure(whole(member), NumberedPolicies.length(member)));
    }
    return all;
  }

  private static OptionalLong whole(Parametrizable<?> item) {
    if (item instanceof IntegerItem number) {
      return OptionalLong.of(number.getAsLong());
    }
    return item instanceof DecimalItem number
        ? OptionalLong.of(number.get().longValue())
        : OptionalLong.empty();
  }
}
