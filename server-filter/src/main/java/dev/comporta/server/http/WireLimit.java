package dev.comporta.server.http;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * What the wire says of a limit on every answer, whoever asks.
 *
 * @param name as {@link Policy#wireNames} gives it
 * @param item the name, as the fields of the IETF draft have it
 * @param windowMicros the span in which the whole quota comes back
 * @param isForEveryone whether all callers share it; then it is told only when it refuses
 */
public record WireLimit(String name, String item, long windowMicros, boolean isForEveryone) {

  /** A limit of that name. */
  public WireLimit(String name, long windowMicros, boolean isForEveryone) {
    this(name, IetfFields.item(name), windowMicros, isForEveryone);
  }

  /** These limits of that policy, in their order. */
  public static List<WireLimit> of(Policy policy, List<LimitSpec> limits) {
    List<String> names = policy.wireNames(limits);
    List<WireLimit> told = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      LimitSpec limit = limits.get(i);
      long windowMicros = RateAlgorithm.of(limit).windowMicros();
      told.add(new WireLimit(names.get(i), windowMicros, limit.by() == By.EVERYONE));
    }
    return List.copyOf(told);
  }
}
