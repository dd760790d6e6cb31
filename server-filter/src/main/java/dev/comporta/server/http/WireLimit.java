package dev.comporta.server.http;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.policy.SpanWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the wire says of a limit on every answer, whoever asks.
 *
 * @param name as {@link Policy#wireNames} gives it
 * @param item the name, as the fields of the IETF draft have it
 * @param windowMicros the span in which the whole quota comes back
 * @param isForEveryone whether all callers share it; then it is told only when it refuses
 * @param hint how it counts, as the fields of the IETF draft have it; empty where none of the names
 *     that clients know is true of it
 */
public record WireLimit(
    String name, String item, long windowMicros, boolean isForEveryone, Optional<String> hint) {

  /** A limit of that name that does not tell how it counts. */
  public WireLimit(String name, long windowMicros, boolean isForEveryone) {
    this(name, IetfFields.item(name), windowMicros, isForEveryone, Optional.empty());
  }

  /** These limits of that policy, in their order. */
  public static List<WireLimit> of(Policy policy, List<LimitSpec> limits) {
    List<String> names = policy.wireNames(limits);
    List<WireLimit> told = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      LimitSpec limit = limits.get(i);
      long windowMicros = RateAlgorithm.of(limit).windowMicros();
      told.add(
          new WireLimit(
              names.get(i),
              IetfFields.item(names.get(i)),
              windowMicros,
              limit.by() == By.EVERYONE,
              counting(limit).map(counting -> IetfFields.hint(counting, windowMicros))));
    }
    return List.copyOf(told);
  }

  /** A window in segments, or with another estimate, weighs its past in a way of its own. */
  private static Optional<String> counting(LimitSpec limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> Optional.of("token-bucket");
      case SLIDING_WINDOW_COUNTER ->
          limit.segments() == 1 && limit.estimate() == Estimate.EVEN
              ? Optional.of("weighted-window")
              : Optional.empty();
      case SLIDING_WINDOW_LOG -> Optional.of("window-log");
      case FIXED_WINDOW ->
          limit.limitWindow() instanceof SpanWindow
              ? Optional.of("fixed-window")
              : Optional.empty();
    };
  }
}
