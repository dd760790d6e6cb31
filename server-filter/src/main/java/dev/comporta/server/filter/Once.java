package dev.comporta.server.filter;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made when it is first asked for, once. Thread-safe.
 *
 * @param <T> what it is
 */
final class Once<T> implements Supplier<T> {

  private final Supplier<T> maker;
  private volatile @Nullable T value; // null until it is asked for

  Once(Supplier<T> maker) {
    this.maker = maker;
  }

  @Override
  public T get() {
    T known = value;
    return known == null ? make() : known;
  }

  private synchronized T make() {
    T known = value;
    if (known == null) {
      known = maker.get();
      value = known;
    }
    return known;
  }
}
