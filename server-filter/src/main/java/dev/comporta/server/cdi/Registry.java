package dev.comporta.server.cdi;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What running Jakarta REST applications have registered, for objects that a container creates and
 * that have no other way to them. Thread-safe.
 *
 * <p>A web application that has this library among its own has a registry of its own. Where several
 * share the library, they are told apart by the class loader of the thread, which a server sets to
 * that of the application.
 *
 * @param <T> what is registered
 */
public final class Registry<T> {

  private final List<Entry<T>> entries = new CopyOnWriteArrayList<>();

  /** An empty one. */
  public Registry() {}

  /** What has been registered, until it is closed. Closing twice is harmless. */
  @FunctionalInterface
  public interface Registration extends AutoCloseable {

    @Override
    void close();
  }

  /* An identity, not a value: two equal registrations end one by one. */
  private static final class Entry<T> {

    private final T value;
    private final WeakReference<@Nullable ClassLoader> loader;

    Entry(T value, @Nullable ClassLoader loader) {
      this.value = value;
      this.loader = new WeakReference<>(loader);
    }
  }

  /** Registers for the application whose class loader the thread has. */
  public Registration add(T value) {
    Entry<T> entry = new Entry<>(value, Thread.currentThread().getContextClassLoader());
    entries.add(entry);
    return () -> entries.remove(entry);
  }

  /**
   * All that applications have registered with the class loader that this thread has; all that
   * there is, if none has.
   */
  public List<T> here() {
    ClassLoader current = Thread.currentThread().getContextClassLoader();
    List<T> same =
        entries.stream()
            .filter(entry -> current != null && entry.loader.refersTo(current))
            .map(entry -> entry.value)
            .toList();
    return same.isEmpty() ? entries.stream().map(entry -> entry.value).toList() : same;
  }
}
