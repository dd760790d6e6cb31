package dev.comporta.server.limiter;

import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.CostResolver;
import dev.comporta.server.api.FailureRule;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The objects whose classes annotations name: one of each class. Thread-safe. */
public final class ApplicationObjects {

  private final Map<Class<?>, Object> byClass = new ConcurrentHashMap<>();
  private final Function<Class<?>, Object> maker;

  /**
   * Objects by that maker.
   *
   * @param maker finds the CDI bean of a class, or makes an instance of it
   */
  public ApplicationObjects(Function<Class<?>, Object> maker) {
    this.maker = maker;
  }

  CallerIdentifier identifier(Class<? extends CallerIdentifier> type) {
    return of(type);
  }

  CostResolver costResolver(Class<? extends CostResolver> type) {
    return of(type);
  }

  FailureRule failureRule(Class<? extends FailureRule> type) {
    return of(type);
  }

  private <T> T of(Class<T> type) {
    return type.cast(byClass.computeIfAbsent(type, maker));
  }
}
